const calls = data.calls.map(readCall);
const grid = document.getElementById("grid");
const layout = document.getElementById("layout");
const filter = document.getElementById("filter");
const failedOnly = document.getElementById("failed-only");
const align = document.getElementById("align");
let shown = calls;

function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

function cell(row, className) {
  const element = make("div", className);
  element.setAttribute("role", "gridcell");
  row.append(element);
  return element;
}

function barKind(kind) {
  if (kind === "call") return "call-kind";
  return kind !== "moment" && kind in kinds ? kind : "other";
}

function bar(lane, className, start, end, scale) {
  const element = make("span", `bar ${className}`);
  element.style.left = `${(100 * (start - scale.from)) / scale.length}%`;
  element.style.width = `${(100 * (end - start)) / scale.length}%`;
  lane.append(element);
  return element;
}

function swatch(kind) {
  const element = make("span", "swatch");
  element.setAttribute("aria-hidden", "true");
  element.append(make("span", `bar ${kind === "moment" ? "point" : barKind(kind)}`));
  return element;
}

function ruler(lane, length) {
  const every = step(length, Math.max(2, Math.min(7, Math.floor(lane.clientWidth / 90))));
  lane.replaceChildren();
  for (let time = 0; time < length * 0.92; time += every) {
    const tick = make("span", "tick", time ? duration(time) : "0");
    tick.style.left = `${(100 * time) / length}%`;
    lane.append(tick);
  }
  return every;
}

// What a transport says of its parts: name lookup, connection, TLS and the wait for the first byte, which
// end when it says so.
function drawStages(row, lane, scale) {
  const timed = row.timed;
  let end = timed?.start;
  for (const stage of timed ? ["first_byte", "tls", "connect", "name_lookup"] : []) {
    const length = 1e6 * Number.parseFloat(timed.facts.get(stage) ?? "0");
    if (length > 0) bar(lane, `stage ${stage}`, Math.max(end - length, row.start), end, scale);
    end = Math.max(end - length, row.start);
  }
}

// A row's bar; merely as a part of its call's, without what is said of it, where asked so.
function draw(row, lane, scale, isPart = false) {
  if (row.kind === "moment") {
    if (row.delay) bar(lane, "delay", row.start, Math.min(row.start + row.delay, scale.from + scale.length), scale);
    bar(lane, "point", row.start, row.start, scale);
    return;
  }
  const isRunning = row.ending === "running";
  bar(lane, barKind(row.kind) + (isRunning ? " unfinished" : ""), row.start, row.end, scale);
  if (isPart) return;
  drawStages(row, lane, scale);
  if (row.sent) bar(lane, "sent", row.sent[0], row.sent[1], scale);
  if (!["completed", "refused"].includes(row.ending)) {
    const place = (row.end - scale.from) / scale.length;
    const end = make("span", `end ${row.ending}`, marks[row.ending]);
    end.style.left = `${100 * place}%`;
    if (place > 0.96) end.classList.add("left");
    lane.append(end);
  }
}

function callRow(call) {
  const group = make("div", "call");
  group.setAttribute("role", "rowgroup");
  const row = make("div", `row top ${call.ending}`);
  row.id = `call-${call.index}`;
  row.setAttribute("role", "row");
  row.setAttribute("aria-level", "1");
  row.setAttribute("aria-expanded", "false");
  row.tabIndex = -1;
  const name = cell(row, "name");
  name.append(make("span", "chevron"));
  if (call.method) name.append(make("span", "method", call.method));
  const [, host, path] = /^(?:https?:\/\/)([^/?#]*)(.*)$/is.exec(call.target) ?? [null, "", call.target];
  const label = make("span", "label");
  if (host) label.append(make("span", "host", host));
  label.append(path);
  name.append(label);
  result(cell(row, "result"), call.ending, call.result,
    call.attempts > 1 ? call.attempts : 0);
  cell(row, "time").textContent = duration(call.length);
  cell(row, "own");
  cell(row, "lane");
  group.append(row);
  call.group = group;
  call.row = row;
  return group;
}

function result(cell, ending, text, attempts = 0) {
  const mark = make("span", "mark", marks[ending] ?? "");
  mark.setAttribute("aria-hidden", "true");
  const label = make("span", "label", text);
  label.title = text;
  cell.append(mark, label);
  if (ending !== "completed" && ending !== "moment" && text !== ending) {
    cell.append(make("span", "unseen", words[ending]));
  }
  if (!attempts) return;
  const count = make("span", "dim", `×${attempts}`);
  count.title = `${attempts} attempts`;
  cell.append(count, make("span", "unseen", "attempts"));
}

function sentence(text) { return text.replaceAll(/[._]/g, " "); }

function activityRow(call, row, scale) {
  const element = make("div", `row ${row.ending}`);
  element.id = `row-${call.index}-${row.index}`;
  element.setAttribute("role", "row");
  element.setAttribute("aria-level", String(row.depth + 2));
  element.tabIndex = -1;
  const isMoment = row.kind === "moment";
  const name = cell(element, "name");
  const indent = make("span", "indent");
  indent.style.setProperty("--depth", row.depth);
  const label = make("span", "label", isMoment ? sentence(row.name) : row.name);
  label.title = `${row.name} (${kinds[row.kind] ?? row.kind})`;
  name.append(indent, swatch(row.kind), label, make("span", "unseen", kinds[row.kind] ?? row.kind));
  if (isMoment) {
    const facts = told(row);
    if (row.delay) facts.push(`in ${duration(row.delay)}`);
    result(cell(element, "result"), "moment", facts.join(", "));
    cell(element, "time").textContent = `at ${duration(row.start)}`;
    cell(element, "own");
  } else {
    const bytes = row.facts.get("bytes");
    const text = row.kind === "response_body" && bytes ? size(Number(bytes)) : outcome(row);
    result(cell(element, "result"), row.ending, text);
    cell(element, "time").textContent = duration(row.end - row.start);
    cell(element, "own").textContent = duration(ownTime(row));
  }
  draw(row, cell(element, "lane"), scale);
  return element;
}

function open(call, isOpen = true) {
  const { group, row } = call;
  group.classList.toggle("open", isOpen);
  row.setAttribute("aria-expanded", String(isOpen));
  while (row.nextSibling) row.nextSibling.remove();
  if (!isOpen) return;
  const scale = { from: 0, length: Math.max(call.length, 1) * 1.03 };
  const head = make("div", "row scale");
  head.setAttribute("aria-hidden", "true");
  for (const name of ["name", "result", "time", "own", "lane"]) head.append(make("div", name));
  group.append(head);
  const every = ruler(head.lastChild, scale.length);
  group.style.setProperty("--step", `${(100 * every) / scale.length}%`);
  const ordered = [];
  const visit = (row) => {
    if (rows[row.parent]?.timed === row) return;
    ordered.push(row);
    row.children.forEach(visit);
  };
  const rows = call.rows;
  rows.filter((row) => row.parent < 0).forEach(visit);
  group.append(...ordered.map((row) => activityRow(call, row, scale)));
  if (call.dropped) {
    group.append(make("p", "note", `${call.dropped.toLocaleString("en")} later activities and decisions`
      + " of this call were not kept."));
  }
}

// The bars of all calls on one axis: as the clock ran, or each from its own start.
function overview() {
  const byClock = align.value === "clock";
  const from = byClock ? Math.min(...shown.map((call) => call.start)) : 0;
  const start = (call) => (byClock ? call.start - from : 0);
  const length = Math.max(1, ...shown.map((call) => start(call) + call.length)) * 1.03;
  ruler(document.getElementById("ruler"), length);
  for (const call of shown) {
    const lane = call.row.lastChild;
    const scale = { from: -start(call), length };
    const kinds = ["wait", "transport", "response_body"];
    const drawn = call.rows.filter((row) => row.parent < 0 || kinds.includes(row.kind));
    drawn.sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
    lane.replaceChildren();
    for (const row of drawn) draw(row, lane, scale, row.parent >= 0);
    if (drawn.some((row) => row.kind === "wait")) continue;
    // Who reports no wait may have said how long it would be.
    for (const row of call.rows) {
      if (row.delay) bar(lane, "delay part", row.start, Math.min(row.start + row.delay, call.length), scale);
    }
  }
}
