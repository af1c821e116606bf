# SPDX-License-Identifier: Apache-2.0
"""The look of the report: light, dark, printed and narrow; contrast at least 4.5 to 1 for text, 3 to 1 for lines.

``--rule`` only parts what is already apart (rows of a table, cards), so it may be faint.
"""

STYLE = """
:root{color-scheme:light dark;--paper:#fff;--ink:#17202a;--soft:#4d5b68;--line:#7f8b97;--rule:#d8dfe5;--band:#f2f6f8;
--fill:#23728f;--track:#e1e8ec;--good:#0b6b36;--bad:#a3161c;--warn:#7a4a00;--link:#0b5a8a}
@media (prefers-color-scheme:dark){:root{--paper:#11171d;--ink:#e6ecf2;--soft:#b0bbc6;--line:#7d8996;--rule:#2d3843;
--band:#1a222a;--fill:#63b4d0;--track:#2a3540;--good:#6fd49a;--bad:#ff9a94;--warn:#f0be6b;--link:#8cc8f0}}
*{box-sizing:border-box}
html{scroll-behavior:smooth}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.55 system-ui,"DejaVu Sans",sans-serif}
header,main,footer{max-width:58rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:2rem}footer{padding-bottom:3rem;color:var(--soft)}
h1{font-size:1.9rem;line-height:1.2;margin:.25rem 0 1rem;letter-spacing:-.01em}
h2{font-size:1.35rem;line-height:1.3;margin:3.25rem 0 .75rem}
h3{font-size:1.05rem;margin:1.9rem 0 .5rem}p,ul,dl{margin:.6rem 0}ul{padding-left:1.25rem}li{margin:.35rem 0}
p,li,dd{max-width:46rem}h1,h3,p,li,dt,dd,figcaption,summary,pre{overflow-wrap:anywhere}
a{color:var(--link)}
a:focus-visible,.wide:focus-visible,summary:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-999rem}.skip:focus{left:1rem;top:1rem;background:var(--paper);padding:.5rem}
.kicker,.note,caption{color:var(--soft)}.note{font-size:.9rem}
.kicker{margin:0;font-size:.85rem;letter-spacing:.08em;text-transform:uppercase}
.verdict{border:1px solid currentColor;border-left-width:.4rem;border-radius:.35rem;padding:.8rem 1.1rem;
font-size:1.1rem}
.good{color:var(--good)}.bad{color:var(--bad)}.warn{color:var(--warn)}.verdict p{color:var(--ink);font-size:1rem}
.facts{display:grid;grid-template-columns:repeat(3,1fr);gap:.75rem;margin:1.25rem 0}
.facts div{background:var(--band);border-radius:.35rem;padding:.7rem .9rem}
.facts dt{margin:0;font-weight:400;font-size:.85rem;color:var(--soft)}
.facts dd{margin:.1rem 0 0;font-size:1.35rem;font-weight:600;line-height:1.25;font-variant-numeric:tabular-nums}
.facts small{display:block;font-size:.8rem;font-weight:400;color:var(--soft);line-height:1.35}
nav ul{list-style:none;padding:0;columns:3 13rem;column-gap:2rem}
nav li{margin:0;break-inside:avoid}
nav a{display:inline-block;padding:.2rem 0}
.report main{counter-reset:part}.report section>h2{border-top:1px solid var(--rule);padding-top:1.75rem}
.report section>h2::before{counter-increment:part;content:counter(part) "\\2002";color:var(--soft);font-weight:400}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;margin:.5rem 0 1rem;font-size:.92rem}
caption{text-align:left;padding:.25rem 0}
th,td{text-align:left;vertical-align:top;padding:.45rem 1rem .45rem 0;border-bottom:1px solid var(--rule);
overflow-wrap:break-word}
thead th{border-bottom:1px solid var(--line);color:var(--soft);font-weight:600}
th:last-child,td:last-child{padding-right:0}
th.n,td.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
tbody th{font-weight:600}
figure{margin:1rem 0}figcaption{font-weight:600;margin-bottom:.6rem}
.key{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:.25rem 0 .75rem;font-size:.9rem;color:var(--soft)}
.key span::before{content:"";display:inline-block;width:.85rem;height:.85rem;margin-right:.45rem;vertical-align:-.1em}
.key .after::before{background:var(--fill);opacity:.6}.key .before::before{border:2px solid var(--ink)}
.key .round::before{border-radius:50%}.key .after.round::before{opacity:1}
.cards{columns:2 22rem;column-gap:1.25rem;margin:1.25rem 0}
.card{border:1px solid var(--rule);border-radius:.5rem;padding:.9rem 1.1rem .6rem;margin:0 0 1.25rem;break-inside:avoid}
.card h3{margin:0;overflow-wrap:anywhere}.card figcaption{font-weight:400;color:var(--soft);font-size:.92rem}
.card figure{margin:.25rem 0 0}
.tag{font-size:.8rem;font-weight:400;color:var(--soft);border:1px solid var(--line);border-radius:1rem;
padding:.05rem .55rem;margin-left:.5rem;white-space:nowrap}
details{margin:.5rem 0}summary{cursor:pointer;color:var(--link);font-size:.9rem;padding:.2rem 0}
code{background:var(--band);padding:.1rem .3rem;border-radius:.25rem;overflow-wrap:anywhere}
pre{background:var(--band);padding:.75rem 1rem;border-radius:.35rem;white-space:pre-wrap;font-size:.92rem}
pre code{padding:0}
dt{font-weight:600;margin-top:.9rem}dd{margin:.15rem 0 0}
.chart{display:block;overflow:visible;font-size:14px}.chart text{fill:var(--ink)}
.chart .number,.chart .last{text-anchor:end}.chart .number{font-variant-numeric:tabular-nums}
.chart .tick{text-anchor:middle;font-size:12.5px;fill:var(--soft)}
.chart .first{text-anchor:start}.chart .last{text-anchor:end}
.chart .track{fill:var(--track)}.chart .bar{fill:var(--fill)}
.chart .now{fill:var(--fill);fill-opacity:.5;stroke:var(--fill);stroke-width:1;vector-effect:non-scaling-stroke}
.chart .was{fill:none;stroke:var(--ink);stroke-width:1.5;vector-effect:non-scaling-stroke}
.chart .axis{stroke:var(--line);stroke-width:1.25}.chart .rail{stroke:var(--track);stroke-width:4}
.chart .way{stroke:var(--fill);stroke-width:4}
.chart .mark{stroke:var(--ink);stroke-width:1.75;stroke-dasharray:5 4}
.chart .dot{fill:var(--fill);stroke:var(--fill);stroke-width:1.75}
.chart .dot.was{fill:var(--paper);stroke:var(--ink)}
@media (max-width:38rem){h1{font-size:1.45rem}header,main,footer{padding-left:1rem;padding-right:1rem}
.chart .spare{display:none}.facts{grid-template-columns:1fr 1fr}
.stack thead{position:absolute;left:-999rem}
.stack tr{display:block;padding:.45rem 0;border-bottom:1px solid var(--rule)}
.stack th,.stack td,.stack td.n{display:block;border:0;padding:.1rem 0;text-align:left;white-space:normal}
.stack td[data-head]::before{content:attr(data-head) ": ";color:var(--soft)}}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
@media (forced-colors:active){.chart .bar,.chart .now,.chart .dot{fill:CanvasText;forced-color-adjust:none}
.chart .track,.chart .dot.was{fill:Canvas;stroke:CanvasText}.chart text{fill:CanvasText}
.chart .axis,.chart .mark,.chart .was,.chart .way{stroke:CanvasText}}
@media print{:root{color-scheme:light;--paper:#fff;--ink:#000;--soft:#3a3a3a;--line:#777;--rule:#c9c9c9;--band:#f4f4f4;
--fill:#5b7683;--track:#dcdcdc;--good:#000;--bad:#000;--warn:#000;--link:#000}
@page{size:A4;margin:17mm 16mm 18mm}
@page{@bottom-right{content:counter(page) " / " counter(pages);font:8.5pt system-ui,"DejaVu Sans",sans-serif;color:#555}
@bottom-left{content:"shoal release report";font:8.5pt system-ui,"DejaVu Sans",sans-serif;color:#555}}
body{font-size:10pt;line-height:1.45}nav,.skip,summary{display:none}
header,main,footer{max-width:none;padding:0}h1{font-size:18pt}h2{font-size:13pt;margin-top:9mm}
.report section>h2{padding-top:5mm}h3{font-size:11pt}
h2,h3,caption,figcaption,.key,thead,p:has(+figure),p:has(+p+figure){break-after:avoid}
tbody tr:first-child{break-before:avoid}
figure,tr,dt,.verdict,.card,.facts,pre,p,li,dd,.wide:not(:has(tr:nth-child(9))){break-inside:avoid}dt{break-after:avoid}
.wide{overflow:visible}.cards{columns:2;column-gap:4mm}.card{padding:3mm 4mm 1mm;margin-bottom:4mm}
th,td{padding-top:.22rem;padding-bottom:.22rem}details{margin:0}
details.printed::details-content{content-visibility:visible;display:block;block-size:auto}
.facts div{border:1px solid var(--rule)}
.chart{font-size:9pt}.chart .tick{font-size:8pt}
.chart *,.key span::before{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
"""
