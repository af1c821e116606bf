# SPDX-License-Identifier: Apache-2.0
"""The look of the report: light, dark, printed and narrow; contrast at least 4.5 to 1 for text, 3 to 1 for lines."""

STYLE = """
:root{color-scheme:light dark;--paper:#fff;--ink:#1b1f24;--soft:#4b5560;--line:#868e99;--band:#f1f4f7;
--fill:#2f6f9f;--stripe:#fff;--track:#dfe5eb;--good:#0b6b36;--bad:#a3161c;--warn:#7a4a00;--link:#0b57a4}
@media (prefers-color-scheme:dark){:root{--paper:#14181d;--ink:#e8ecf1;--soft:#b4bdc8;--line:#7d8793;--band:#1e242b;
--fill:#6fb1e0;--stripe:#14181d;--track:#333c46;--good:#6fd49a;--bad:#ff9a94;--warn:#f0be6b;--link:#8cc2ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.55 system-ui,"DejaVu Sans",sans-serif}
header,main,footer{max-width:52rem;margin:0 auto;padding:0 1rem}
header{padding-top:2rem}footer{padding-bottom:3rem;color:var(--soft)}
h1{font-size:1.75rem;line-height:1.25;margin:.25rem 0 1rem}h2{font-size:1.3rem;margin:2.75rem 0 .75rem}
h3{font-size:1.05rem;margin:1.75rem 0 .5rem}p,ul,dl{margin:.5rem 0}ul{padding-left:1.25rem}li{margin:.35rem 0}
a{color:var(--link)}a:focus-visible,.wide:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-999rem}.skip:focus{left:1rem;top:1rem;background:var(--paper);padding:.5rem}
.kicker,.note,caption{color:var(--soft)}.kicker{margin:0}
.verdict{border:2px solid currentColor;border-radius:.5rem;padding:.75rem 1rem;font-size:1.15rem}
.good{color:var(--good)}.bad{color:var(--bad)}.warn{color:var(--warn)}.verdict p{color:var(--ink);font-size:1rem}
nav ul{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem}
nav li{margin:0}
nav a{display:inline-block;padding:.15rem 0}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;margin:.5rem 0;font-size:.95rem}
caption{text-align:left;padding:.25rem 0}
th,td{text-align:left;vertical-align:top;padding:.4rem .75rem .4rem 0;border-bottom:1px solid var(--line);
overflow-wrap:break-word}
thead th{border-bottom-width:2px}th:last-child,td:last-child{padding-right:0}
th.n,td.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
tbody th{font-weight:600}
figure{margin:1rem 0}figcaption{font-weight:600;margin-bottom:.75rem}
code{background:var(--band);padding:.1rem .3rem;border-radius:.25rem;overflow-wrap:anywhere}
pre{background:var(--band);padding:.75rem 1rem;border-radius:.5rem;overflow-x:auto}pre code{padding:0}
dt{font-weight:600;margin-top:.9rem}dd{margin:.15rem 0 0}
.chart{display:block;overflow:visible;font-size:14px}.chart text{fill:var(--ink)}
.chart .number,.chart .last{text-anchor:end}.chart .tick{text-anchor:middle;font-size:13px}
.chart .first{text-anchor:start}.chart .last{text-anchor:end}
.chart .track{fill:var(--track)}.chart .bar{fill:var(--fill)}
.chart .stripe{stroke:var(--stripe);stroke-width:1;opacity:.55}
.chart .axis{stroke:var(--line);stroke-width:1.5}.chart .mark{stroke:var(--ink);stroke-width:2;stroke-dasharray:6 4}
.chart .point{stroke:var(--ink);stroke-width:2;fill:var(--fill)}.chart .p1{fill:var(--paper)}
@media (max-width:34rem){h1{font-size:1.4rem}.verdict{font-size:1.05rem}.chart .spare{display:none}
.stack thead{position:absolute;left:-999rem}.stack tr{display:block;padding:.4rem 0;border-bottom:1px solid var(--line)}
.stack th,.stack td,.stack td.n{display:block;border:0;padding:.1rem 0;text-align:left;white-space:normal}}
@media (forced-colors:active){.chart .bar{fill:CanvasText}.chart .track{fill:Canvas;stroke:CanvasText}
.chart text{fill:CanvasText}.chart .axis,.chart .mark,.chart .point{stroke:CanvasText}}
@media print{:root{--paper:#fff;--ink:#000;--soft:#333;--line:#777;--band:#f3f3f3;--fill:#555;--stripe:#fff;
--track:#e5e5e5;--good:#000;--bad:#000;--warn:#000;--link:#000}
body{font-size:10.5pt}nav,.skip{display:none}h2,h3{break-after:avoid}figure,tr,dt,.verdict{break-inside:avoid}
.chart *{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
"""
