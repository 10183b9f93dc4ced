"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const kinds = {
  call: "call", interceptor: "interceptor", attempt: "attempt", transport: "transport, until the head",
  wait: "wait", response_body: "response body", moment: "decision",
};
const marks = { completed: "✓", failed: "✕", cancelled: "⊘", abandoned: "╌", running: "…", refused: "!" };
const words = {
  completed: "completed", failed: "failed", cancelled: "cancelled by the caller",
  abandoned: "not read to its end", running: "still running when this was written", moment: "",
  refused: "completed, with a status that says it did not work",
};
const endings = ["completed", "failed", "cancelled", "abandoned"];

function readRow(row, index) {
  const [parent, kind, name, source, attempt, start, end, ending, facts, delay, sent] = row;
  const read = {
    index, parent, kind: data.strings[kind], name: data.strings[name], source: data.strings[source],
    attempt, start, delay, sent, facts: new Map(), children: [],
  };
  for (let i = 0; i < facts.length; i += 2) {
    read.facts.set(data.strings[facts[i]], data.strings[facts[i + 1]]);
  }
  const isMoment = read.kind === "moment";
  read.ending = isMoment ? "moment" : endings[ending] ?? "running";
  read.end = isMoment ? start : end;
  if (read.ending === "completed" && Number.parseInt(outcome(read), 10) >= 400) read.ending = "refused";
  return read;
}

// Times in a call count from its start; what still runs lasts until the last that was seen of any call.
function readCall(call, index) {
  const rows = call.rows.map(readRow);
  const open = Math.max(data.until - call.start, 0);
  for (const row of rows) {
    if (row.ending === "running") row.end = Math.max(open, row.start);
    row.depth = row.parent < 0 ? 0 : rows[row.parent].depth + 1;
    if (row.parent >= 0) rows[row.parent].children.push(row);
    // The parts of a send are drawn in its bar, and told with it; they are no decision.
    if (row.name === "transport.timed" && row.parent >= 0) rows[row.parent].timed = row;
  }
  const roots = rows.filter((row) => row.parent < 0 && row.kind !== "moment");
  const first = roots[0] ?? rows[0];
  const last = roots.at(-1) ?? first;
  const input = first.facts.get("input") ?? first.name;
  const [, method, target] = /^([A-Z][A-Z-]*) (.*)$/s.exec(input) ?? [null, "", input];
  const result = outcome(last, true);
  const isRunning = rows.some((row) => row.ending === "running");
  const read = {
    index, id: call.id, date: call.date, start: call.start, dropped: call.dropped, rows, method, target,
    result, status: last.facts.get("output") ?? result, ending: isRunning && !["failed", "refused"].includes(last.ending) ? "running" : last.ending,
    length: rows.reduce((end, row) => Math.max(end, row.end), 0),
    attempts: rows.reduce((most, row) => Math.max(most, row.attempt), 1),
  };
  read.failed = ["failed", "refused"].includes(last.ending);
  if (read.failed) read.ending = last.ending;
  return read;
}

function outcome(row, isOfCall = false) {
  const status = row.facts.get("http.response.status_code");
  return (says(row, isOfCall) || row.facts.get("output")) ?? row.facts.get("error.type") ?? status
    ?? (row.ending === "completed" ? "" : row.ending);
}

// The first sentence of an error, of the call and where it came from: a row between says no more than its type.
// What follows the sentence is advice and attempts, which are among the details.
function says(row, isOfCall) {
  const message = row.facts.get("error.message");
  if (!message || !isOfCall && row.children.some((child) => child.facts.get("error.message") === message)) return "";
  const [line] = message.split("\n");
  return /^.*?[.!?](?=\s|$)/.exec(line)?.[0] ?? line;
}

// What a decision says, in words: a yes or no by its name, and no time that did not pass.
function told(row) {
  return [...row.facts].filter(([key, value]) => key !== "delay" && value !== "0 s").map(([key, value]) =>
    value === "true" ? key.replaceAll(/[._]/g, " ") : value === "false" ? `not ${key.replaceAll(/[._]/g, " ")}` : value);
}

// The time that passed in a row and in none of those below it.
function ownTime(row) {
  let own = row.end - row.start;
  let covered = row.start;
  const inner = row.children.filter((child) => child.kind !== "moment" && child.start < row.end);
  for (const child of inner.sort((a, b) => a.start - b.start)) {
    const start = Math.max(child.start, covered);
    const end = Math.min(child.end, row.end);
    if (end > start) { own -= end - start; covered = end; }
  }
  return own;
}

function matches(call, terms) {
  call.text ??= [call.method, call.target, call.result, call.ending, call.id,
    ...call.rows.flatMap((row) => [row.facts.get("url.full"), row.facts.get("output"),
      row.facts.get("http.response.status_code"), row.facts.get("error.type"),
      row.facts.get("error.message")])].filter(Boolean).join("\n").toLowerCase();
  return terms.every((term) => /^[1-5]xx$/.test(term)
    ? call.status.startsWith(term[0]) : call.text.includes(term));
}

function duration(time) {
  const units = [[1e3, 1, "µs"], [1e6, 1e3, "ms"], [6e7, 1e6, "s"]];
  for (const [limit, unit, name] of units) {
    const value = time / unit;
    const digits = unit === 1 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
    if (time < limit) return `${Number(value.toFixed(digits))} ${name}`;
  }
  const seconds = Math.round(time / 1e6);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (hours) return minutes ? `${hours} h ${minutes} min` : `${hours} h`;
  return seconds % 60 ? `${minutes} min ${seconds % 60} s` : `${minutes} min`;
}

function size(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  const power = Math.min(Math.floor(Math.log10(bytes) / 3), 4);
  return `${(bytes / 1000 ** power).toPrecision(3)} ${["", "kB", "MB", "GB", "TB"][power]}`;
}

// Round steps, of which about as many as asked for cover a length.
function step(length, count) {
  const rough = Math.max(length / count, 1);
  const steps = [];
  for (let unit = 1; unit <= 1e7; unit *= 10) steps.push(unit, 2 * unit, 5 * unit);
  steps.push(3e7, 6e7, 12e7, 3e8, 6e8, 18e8, 36e8, 72e8, 216e8, 864e8);
  return steps.sort((a, b) => a - b).find((step) => step >= rough) ?? Math.ceil(rough / 864e8) * 864e8;
}
