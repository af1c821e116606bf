# SPDX-License-Identifier: Apache-2.0
# Runs sdcMicro on one table, as sdcmicro.py asks: Rscript sdcmicro.R K FIRST_ROWS TABLE RELEASED
# The last line that it prints tells what the anonymisation alone has spent, after a run on the first rows.

suppressMessages(library(sdcMicro))
asked <- commandArgs(trailingOnly = TRUE)

anonymise <- function(path) {
  rows <- read.csv(path, colClasses = "factor", na.strings = "", check.names = FALSE)
  named <- names(rows)
  names(rows) <- make.names(named) # it cannot take a name like marital-status
  spent <- system.time({
    released <- kAnon(rows, keyVars = seq_along(rows), k = as.integer(asked[1]))$xAnon
  })
  list(rows = setNames(released, named), spent = spent)
}

invisible(try(anonymise(asked[2]))) # the run that counts will tell
done <- anonymise(asked[3])
write.csv(done$rows, asked[4], row.names = FALSE, na = "*")
peak <- grep("^VmHWM:", readLines("/proc/self/status"), value = TRUE)
cat(sprintf(
  '{"seconds": %.4f, "cpu_seconds": %.4f, "peak_mib": %.1f}\n',
  done$spent[["elapsed"]], sum(done$spent[-3]), as.numeric(strsplit(peak, "\\s+")[[1]][2]) / 1024
))
