// The navigation shows where you are; blocks can be copied: of a transcript the commands, without prompts and output.
"use strict";

function showWhereYouAre() {
  const list = document.querySelector(".sidebar-scroll");
  const entry = list && list.querySelector(".current-page > a");
  if (!entry) return;
  const above = entry.getBoundingClientRect().top - list.getBoundingClientRect().top;
  if (above > list.clientHeight * 0.8) list.scrollTo({ top: above - list.clientHeight / 2, behavior: "instant" });
}

function commandsOf(text) {
  const kept = [];
  let before = null; // the line above, if it belongs to a command
  for (const line of text.split("\n")) {
    const begins = /^(\$|>>>) /.test(line);
    const continues = before && (before.endsWith("\\") || (/^(>>>|\.\.\.)/.test(before) && /^\.\.\.( |$)/.test(line)));
    before = begins || continues ? line : null;
    if (before) kept.push(line.replace(/^(\$|>>>|\.\.\.)( |$)/, ""));
  }
  return kept.length ? kept.join("\n") : text.trimEnd();
}

function addCopyButton(block) {
  const button = document.createElement("button");
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(commandsOf(block.querySelector("pre").textContent));
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 1500);
  });
  block.append(button);
}

document.addEventListener("DOMContentLoaded", () => {
  showWhereYouAre();
  if (navigator.clipboard) document.querySelectorAll("div.highlight").forEach(addCopyButton);
});
