// Updates the main part of the page every two seconds. Shows a message if the server does not answer.
// Copies the command that checks failures again.
"use strict";

const lost = document.querySelector("#lost");
const seen = document.querySelector("#seen");
let last = new Date();

// Whether the user is selecting the command. An update would end the selection.
function isSelecting() {
  const selection = getSelection();
  return !selection.isCollapsed && selection.anchorNode?.parentElement?.closest(".replay") != null;
}

async function copy(button) {
  const command = button.parentElement.querySelector("code");
  try {
    await navigator.clipboard.writeText(command.textContent);
  } catch {
    // Without permission, or on a page that is not from this machine, the clipboard has no such function.
    getSelection().selectAllChildren(command);
    if (!document.execCommand("copy")) return;
    getSelection().removeAllRanges();
  }
  button.textContent = "Copied";
}

async function refresh() {
  if (document.hidden || isSelecting()) return;
  try {
    const answer = await fetch("/", { cache: "no-store", signal: AbortSignal.timeout(10000) });
    if (!answer.ok) throw new Error(answer.statusText);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    document.querySelector("main").replaceWith(document.adoptNode(page.querySelector("main")));
    document.title = page.title;
    last = new Date();
    lost.hidden = true;
  } catch {
    seen.textContent = last.toLocaleTimeString();
    lost.hidden = false;
  }
}

setInterval(refresh, 2000);
document.addEventListener("click", (event) => {
  const button = event.target.closest(".copy");
  if (button) copy(button);
});
document.documentElement.classList.add("scripted"); // shows the buttons that need this script
