// SPDX-License-Identifier: Apache-2.0
// What pages can do beyond plain forms: uploads, looking after jobs, copying. Everything else works without it.
"use strict";
const base = document.body.dataset.base;

// -- uploads: the file itself is sent, its name in a header ---------------------------------------------------

function send(form, file) {
  const told = form.querySelector("[role=status]");
  const request = new XMLHttpRequest();
  request.open("POST", form.dataset.upload);
  request.setRequestHeader("x-file-name", encodeURIComponent(file.name));
  request.setRequestHeader("content-type", "application/octet-stream");
  request.upload.onprogress = (event) => {
    told.textContent = event.lengthComputable ? `Reading ${Math.round((100 * event.loaded) / event.total)} %` : "Reading …";
  };
  request.onerror = () => { told.textContent = "The file did not arrive whole. Is it larger than allowed, or has the app ended?"; };
  request.onload = () => {
    if (request.status === 200) {
      location.assign(JSON.parse(request.responseText).to);
      return;
    }
    const answer = new DOMParser().parseFromString(request.responseText, "text/html");
    const problem = answer.querySelector(".problem, main");
    told.textContent = problem ? problem.textContent.replace(/\s+/g, " ") : "Refused.";
  };
  request.send(file);
}

for (const form of document.querySelectorAll("form[data-upload]")) {
  const input = form.querySelector("input[type=file]");
  form.addEventListener("submit", (event) => event.preventDefault());
  input.addEventListener("change", () => { if (input.files[0]) send(form, input.files[0]); });
  form.addEventListener("dragover", (event) => { event.preventDefault(); form.classList.add("over"); });
  form.addEventListener("dragleave", () => form.classList.remove("over"));
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    form.classList.remove("over");
    if (event.dataTransfer.files[0]) send(form, event.dataTransfer.files[0]);
  });
}

// -- jobs: asked for each second, by tabs that are seen; while nothing is done, only whether the app is there -----

const IDLE = 5;  // seconds
const run = document.getElementById("run");
const exposed = document.getElementById("exposed");
const banner = document.getElementById("job");
let busy = banner && banner.textContent.trim() !== "";
let told = -1;
let quiet = IDLE - 2;  // pages that are left at once need not ask
let plan = null;  // the plan as a file, kept by this tab alone, for the case that the app ends
let planOf = "";

function phases(list, job) {
  list.replaceChildren(...job.done.map((name) => item("done", `✓ ${name}`)), ...(job.now ? [item("now", `▶ ${job.now}`)] : []));
}

function item(style, text) {
  const made = document.createElement("li");
  made.className = style;
  made.textContent = text;
  return made;
}

function show(job, soFar) {
  phases(document.getElementById("phases"), job);
  const bar = document.getElementById("bar");
  if (job.share === null) bar.removeAttribute("value"); else bar.value = job.share;
  document.getElementById("seconds").textContent = job.seconds;
  document.getElementById("left").textContent = job.left ? `, ${job.left}` : "";
  document.getElementById("loss").textContent = job.loss ? `Loss so far: ${job.loss}` : "";
  document.getElementById("finish").hidden = !job.can_finish;
  if (soFar) {
    const drawn = new DOMParser().parseFromString(soFar, "text/html");
    document.getElementById("so-far").replaceChildren(...drawn.body.childNodes);
  }
  const tenth = job.share === null ? -1 : Math.floor(10 * job.share);
  if (tenth !== told) {
    told = tenth;
    document.getElementById("live").textContent = `${job.now}${tenth > 0 ? `, ${10 * tenth} %` : ""}`;
  }
}

async function look() {
  if (document.hidden) return;
  const waiting = run && run.dataset.open === "yes";
  if (!waiting && !(exposed && exposed.dataset.known === "no") && !busy && quiet++ % IDLE) return;
  let answer;
  try {
    answer = await (await fetch(`${base}/status.json${waiting ? `?job=${run.dataset.job}` : ""}`)).json();
    if (answer.table && planOf !== `${answer.revision}`) await keepPlan(answer.revision);
  } catch {
    gone();
    return;
  }
  document.getElementById("gone")?.remove();
  if (waiting && answer.job) {
    if (!answer.job.open) { location.reload(); return; }
    show(answer.job, answer.so_far);
  }
  if (exposed && exposed.dataset.known === "no" && answer.exposed) refresh();
  if (!answer.running) counted();
  if (banner && !answer.running) banner.textContent = "";
  busy = answer.running;
}

function counted() {  // nobody's page is loaded again while he does something on it
  const waiting = document.getElementById("counting");
  if (!waiting || waiting.querySelector("a")) return;
  const link = document.createElement("a");
  link.href = location.href;
  link.textContent = "Rows are counted: show them";
  waiting.replaceChildren(link);
}

async function keepPlan(revision) {
  const saved = await fetch(`${base}/plan/save`);
  if (saved.ok) [plan, planOf] = [await saved.blob(), `${revision}`];
}

async function refresh() {
  exposed.dataset.known = "yes";
  const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
  exposed.replaceChildren(...page.getElementById("exposed").childNodes);
}

function gone() {
  if (document.getElementById("gone")) return;
  const said = document.createElement("div");
  said.id = "gone";
  said.className = "stale";
  said.setAttribute("role", "alert");
  said.append(paragraph("shoal has stopped, or cannot be reached. Your table was not kept. Start it again to go on."));
  if (plan) {
    const link = document.createElement("a");
    link.className = "button";
    link.href = URL.createObjectURL(plan);
    link.download = "plan.zip";
    link.textContent = "Save the plan (zip)";
    said.append(link);
  }
  document.getElementById("main").prepend(said);
}

function paragraph(text) {
  const made = document.createElement("p");
  made.textContent = text;
  return made;
}

setInterval(look, 1000);
look();

// -- small things ------------------------------------------------------------------------------------------------

for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    button.textContent = "Copied";
  });
}

const k = document.querySelector("#protection #k");
if (k) k.addEventListener("input", () => { document.getElementById("one-in").textContent = `1 in ${k.value}`; });

for (const form of document.querySelectorAll("form[method=post]")) {  // a double click is one click
  form.addEventListener("submit", (event) => {
    const said = document.getElementById("gone");
    if (said) {  // the page, with what was typed, is worth keeping
      event.preventDefault();
      said.scrollIntoView();
      return;
    }
    setTimeout(() => { for (const button of form.querySelectorAll("button")) button.disabled = true; });
  });
}
window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
