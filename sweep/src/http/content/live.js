// Draws the page from status.json every two seconds. All text is set as text, never as HTML.
"use strict";

const POINTS = 300; // of the chart: ten minutes
const ENDINGS = {
  running: "running", complete: "complete", failures: "ended with failures", breakdown: "the codec broke down",
  interrupted: "interrupted", time_limit: "ended by the time limit",
};
const byId = (id) => document.getElementById(id);
const set = (id, text) => { byId(id).textContent = text; };
const grouped = (number) => BigInt(number).toLocaleString("en");
const short = (number) => new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 }).format(number);
const rates = [];
let seen = null;

function element(name, text, ...children) {
  const node = document.createElement(name);
  if (text !== null) node.textContent = text;
  node.append(...children);
  return node;
}

function duration(seconds) {
  const units = [["years", 31557600], ["days", 86400], ["hours", 3600], ["minutes", 60]];
  const [name, length] = units.find(([, length]) => seconds >= 2 * length) ?? ["seconds", 1];
  return `${short(seconds / length)} ${name}`;
}

function describe({ value, last, kind, context, expected, got }) {
  const inputs = last === undefined ? value || "(no bytes)" : `${value}..=${last}`;
  return `${inputs}: ${context === undefined ? "" : `${context}: `}${kind.replaceAll("_", " ")}: expected ${expected}, got ${got}`;
}

function drawTiles({ report, of, eta_seconds }) {
  const tiles = [
    ["checked", grouped(report.values), of === null ? "" : `of ${grouped(of)}`],
    ["rate", `${short(report.values_per_second)}/s`, ""],
    ["remaining", eta_seconds === null ? "unknown" : duration(eta_seconds), ""],
    ["elapsed", duration(report.seconds), ""],
  ];
  if (report.cpu_seconds !== null && report.seconds > 0) {
    const available = report.seconds * Math.min(report.threads, report.cpus ?? report.threads);
    const percent = Math.round((100 * report.cpu_seconds) / available);
    tiles.push(["CPU", `${percent} %`, `of ${report.threads} ${report.threads === 1 ? "thread" : "threads"}`]);
  }
  const tile = ([name, value, more]) =>
    element("div", null, element("dt", name), element("dd", null, element("strong", value), ` ${more}`));
  byId("tiles").replaceChildren(...tiles.map(tile));
}

// The rate since the page was opened.
function drawChart(report) {
  if (report.ending === "running") rates.push(report.values_per_second);
  if (rates.length > POINTS) rates.shift();
  const top = Math.max(...rates, 1);
  const points = rates.map((rate, index) => `${1000 - (1000 * (rates.length - 1 - index)) / (POINTS - 1)},${100 - (98 * rate) / top}`);
  byId("chart").firstElementChild.setAttribute("points", points.join(" "));
  set("axis", `from 0 to ${short(top)}/s, in the last ${duration(POINTS * 2)}, from when this page was opened`);
}

function drawFailures({ report, replay }) {
  const listed = report.first_failures;
  set("count", report.failures === "0" ? "none so far" : grouped(report.failures));
  byId("count").className = report.failures === "0" ? "good" : "bad";
  byId("failures").replaceChildren(...listed.map((one) => element("li", null, element("code", describe(one)))));
  set("more", listed.length > 0 && listed.every((one) => one.last === undefined) && BigInt(report.failures) > listed.length
    ? `and ${grouped(BigInt(report.failures) - BigInt(listed.length))} more` : "");
  byId("replay").hidden = replay === null;
  const command = byId("replay").querySelector("code");
  if (command.textContent !== (replay ?? "")) command.textContent = replay ?? "";
}

function drawLengths(report) {
  const lengths = Object.entries(report.by_length).map(([length, count]) => [length, BigInt(count)]);
  const most = lengths.reduce((most, [, count]) => (count > most ? count : most), 1n);
  const row = ([length, count]) => {
    const share = element("meter", null);
    share.value = Number((1000n * count) / most) / 1000;
    return element("tr", null, element("td", length), element("td", grouped(count)), element("td", null, share));
  };
  byId("lengths").replaceChildren(...lengths.map(row));
}

function draw(status) {
  const { report } = status;
  const percent = status.part < 1 ? Math.floor(status.part * 1000) / 10 : 100; // 100 only at the end
  document.title = `${seen.isOver ? "ended" : `${percent.toFixed(1)} %`} · sweep`;
  byId("part").value = status.part;
  set("percent", `${percent.toFixed(1)} %`);
  document.querySelector("main").hidden = false;
  if (report === null) {
    set("state", status.error === undefined ? "about to start" : `could not be run: ${status.error}`);
    return;
  }
  const names = [["codec", report.codec], ["kernel", report.kernel], ["wire format", report.wire ?? null], ["shard", report.shard]];
  set("heading", `sweep of ${report.type}`);
  set("subject", names.filter(([, name]) => name !== null).map((pair) => pair.join(" ")).join(", "));
  set("state", ENDINGS[report.ending]);
  drawTiles(status);
  drawChart(report);
  drawFailures(status);
  drawLengths(report);
  const saved = status.checkpoint && `checkpoint ${status.checkpoint.file}, saved ${status.checkpoint.saved ?? "not yet"}`;
  const plan = `fingerprint of the plan ${report.fingerprint}`;
  set("about", [report.program, `process ${status.pid}`, plan, saved].filter(Boolean).join(", "));
}

function notify(text) {
  set("notice", text);
  byId("notice").hidden = text === "";
}

// Draws the status. Without an answer, the last figures are hidden, unless they are those of the end.
async function refresh(path, patience) {
  try {
    const answer = await fetch(path, { cache: "no-store", signal: AbortSignal.timeout(patience) });
    if (!answer.ok) throw new Error(answer.statusText);
    const status = await answer.json();
    seen = { time: new Date(), isOver: status.error !== undefined || (status.report?.ending ?? "running") !== "running" };
    notify(seen.isOver ? "The sweep has ended." : "");
    draw(status);
    return true;
  } catch {
    if (seen?.isOver) return false;
    const since = seen === null ? "" : ` since ${seen.time.toLocaleTimeString()}`;
    notify(`The server has not answered${since}: the connection is lost, or the sweep was killed.`);
    document.title = "no connection · sweep";
    document.querySelector("main").hidden = true;
    return false;
  }
}

// Shows the end of the sweep at once. The server closes after its answer.
async function awaitEnd() {
  const isAnswered = await refresh("/status.json?end", 90000);
  setTimeout(awaitEnd, isAnswered && !seen.isOver ? 0 : 2000);
}

async function copy({ target }) {
  const command = byId("replay").querySelector("code");
  try {
    await navigator.clipboard.writeText(command.textContent);
    target.textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(command); // without permission, the user copies it
  }
}

byId("replay").querySelector("button").addEventListener("click", copy);
refresh("/status.json", 10000).then(awaitEnd);
setInterval(() => document.hidden || refresh("/status.json", 10000), 2000);
