// SPDX-License-Identifier: Apache-2.0
// Runs ARX on one table, as arx.py asks: java -cp ARX_JAR Arx.java OPTION K SUPPRESSION FIRST_ROWS TABLE RELEASED COLUMN=TREE ...
// The last line that it prints tells what the anonymisation alone has spent, after a run on the first rows.

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

import org.deidentifier.arx.ARXAnonymizer;
import org.deidentifier.arx.ARXConfiguration;
import org.deidentifier.arx.ARXResult;
import org.deidentifier.arx.AttributeType.Hierarchy;
import org.deidentifier.arx.Data;
import org.deidentifier.arx.DataHandle;
import org.deidentifier.arx.criteria.KAnonymity;
import org.deidentifier.arx.metric.Metric;

public class Arx {
    // Share of the records that each round of local recoding has to improve; as in ARX's own example.
    private static final double EACH_ROUND = 0.01;

    public static void main(String[] asked) throws Exception {
        String[] trees = Arrays.copyOfRange(asked, 6, asked.length);
        try {
            anonymise(asked, read(asked[3], trees));
        } catch (Exception error) { // the run that counts will tell
            System.err.println("warm-up: " + error.getMessage());
        }
        Data table = read(asked[4], trees);
        long started = System.nanoTime();
        long spent = cpuNanoseconds();
        DataHandle released = anonymiseOrSayWhyNot(asked, table);
        double seconds = (System.nanoTime() - started) / 1e9;
        double cpuSeconds = (cpuNanoseconds() - spent) / 1e9;
        released.save(new File(asked[5]), ',');
        String told = "{\"seconds\": %.4f, \"cpu_seconds\": %.4f, \"peak_mib\": %.1f}";
        System.out.println(String.format(Locale.ROOT, told, seconds, cpuSeconds, peakMib()));
    }

    private static Data read(String path, String[] trees) throws IOException {
        Data table = Data.create(path, StandardCharsets.UTF_8, ',');
        for (String pair : trees) {
            int split = pair.lastIndexOf('=');
            Hierarchy tree = Hierarchy.create(pair.substring(split + 1), StandardCharsets.UTF_8, ';');
            table.getDefinition().setAttributeType(pair.substring(0, split), tree);
        }
        return table;
    }

    private static DataHandle anonymiseOrSayWhyNot(String[] asked, Data table) {
        try {
            return anonymise(asked, table);
        } catch (Exception error) {
            System.err.println(error.getMessage());
            System.exit(1);
            return null;
        }
    }

    // One coding: the best node of the lattice. Local recoding: rows that it gives up are coded anew, round by round.
    private static DataHandle anonymise(String[] asked, Data table) throws Exception {
        boolean local = asked[0].equals("local recoding");
        ARXConfiguration wanted = ARXConfiguration.create();
        wanted.addPrivacyModel(new KAnonymity(Integer.parseInt(asked[1])));
        wanted.setSuppressionLimit(local ? 1 - EACH_ROUND : Double.parseDouble(asked[2]));
        wanted.setQualityModel(local ? Metric.createLossMetric(0) : Metric.createLossMetric());
        ARXResult result = new ARXAnonymizer().anonymize(table, wanted);
        DataHandle released = result.getOutput();
        if (released == null) {
            throw new IllegalStateException("no solution");
        }
        if (local && result.isOptimizable(released)) {
            result.optimizeIterativeFast(released, EACH_ROUND);
        }
        return released;
    }

    private static long cpuNanoseconds() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    private static double peakMib() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmHWM:")) {
                return Integer.parseInt(line.split("\\s+")[1]) / 1024.0;
            }
        }
        return Double.NaN;
    }
}
