// Updates the main part of the page every two seconds. Shows a message if the server does not answer.
"use strict";

const lost = document.querySelector("#lost");
const seen = document.querySelector("#seen");
let last = new Date();

async function refresh() {
  if (document.hidden) return;
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
