const panel = document.getElementById("details");
let selected = null;

function facts(title, pairs) {
  if (!pairs.length) return;
  const list = make("dl");
  for (const [key, value, className] of pairs) {
    const isHidden = value === data.placeholder;
    list.append(make("dt", "", key), make("dd", isHidden ? "hidden-value" : className ?? "",
      isHidden ? "hidden" : value));
  }
  if (title) panel.append(make("h3", "", title));
  panel.append(list);
}

function show(call, row, element) {
  selected?.removeAttribute("aria-selected");
  selected = element;
  selected.setAttribute("aria-selected", "true");
  panel.replaceChildren();
  const heading = make("div", "heading");
  const isMoment = row.kind === "moment";
  heading.append(make("h2", "", isMoment ? sentence(row.name) : row.name));
  const close = make("button", "", "Close");
  close.type = "button";
  close.addEventListener("click", hide);
  heading.append(close);
  panel.append(heading);
  panel.append(make("p", "what", `${kinds[row.kind] ?? row.kind}, ${call.method} ${call.target}`));
  if (!isMoment) {
    const ending = make("p", `ending ${row.ending}`);
    const mark = make("span", "mark", marks[row.ending]);
    mark.setAttribute("aria-hidden", "true");
    ending.append(mark, make("span", "", words[row.ending]));
    panel.append(ending);
  }
  const rest = new Map(row.facts);
  const take = (prefix) => {
    const keys = [...rest.keys()].filter((key) => key.startsWith(prefix));
    return keys.map((key) => {
      const value = rest.get(key);
      rest.delete(key);
      return [key.slice(prefix.length), value, "code"];
    });
  };
  const request = take("http.request.header.");
  const response = take("http.response.header.");
  const error = take("error.").map(([key, value]) => [key, value, key === "message" ? "bad" : "code"]);
  const began = new Date(call.date + row.start / 1000);
  const clock = `${began.toLocaleTimeString("en-GB")}.${String(began.getMilliseconds()).padStart(3, "0")}`;
  const times = [[isMoment ? "at" : "began at", `${duration(row.start)} (${clock})`]];
  if (!isMoment) {
    times.push(["took", duration(row.end - row.start)], ["own time", duration(ownTime(row))]);
  }
  times.push(["attempt", String(row.attempt)], ["reported by", row.source]);
  facts("", times);
  if (row.sent) {
    const [from, to, bytes, total] = row.sent;
    const amount = total >= 0 ? `${size(bytes)} of ${size(total)}` : size(bytes);
    facts("Request body", [["sent", amount], ["from", duration(from)], ["until", duration(to)]]);
  }
  facts("Error", error);
  facts("Connection", [...row.timed?.facts ?? []].filter(([, value]) => value !== "0 s"));
  facts(isMoment ? "Why" : "About it", [...rest].map(([key, value]) => {
    const isSize = ["bytes", "total"].includes(key) || key.endsWith(".body.size");
    return [key, isSize ? `${value} bytes (${size(Number(value))})` : value];
  }));
  facts("Request fields", request);
  facts("Response fields", response);
  panel.hidden = false;
  layout.classList.add("detailed");
  panel.scrollTop = 0;
  history.replaceState(null, "", `#${call.id}/${row.index}`);
}

function hide() {
  if (panel.hidden) return false;
  panel.hidden = true;
  layout.classList.remove("detailed");
  selected?.removeAttribute("aria-selected");
  focus(selected);
  selected = null;
  history.replaceState(null, "", " ");
  return true;
}

function rowsNow() { return [...grid.querySelectorAll(".row:not(.head, .scale)")].filter((row) => !row.parentNode.hidden); }

function focus(row) {
  if (!row) return;
  grid.querySelector("[tabindex='0']")?.setAttribute("tabindex", "-1");
  row.tabIndex = 0;
  row.focus();
}

function find(element) {
  const [, call, row] = /^(?:call|row)-(\d+)(?:-(\d+))?$/.exec(element.id) ?? [];
  return { call: calls[call], row: row === undefined ? null : calls[call].rows[row] };
}

function act(element) {
  const { call, row } = find(element);
  if (row) show(call, row, element);
  else open(call, !call.group.classList.contains("open"));
}

grid.addEventListener("click", (event) => {
  const element = event.target.closest(".row[id]");
  if (!element || getSelection().toString()) return;
  focus(element);
  act(element);
});

grid.addEventListener("keydown", (event) => {
  const element = event.target.closest(".row[id]");
  if (!element || event.ctrlKey || event.metaKey || event.altKey) return;
  const rows = rowsNow();
  const place = rows.indexOf(element);
  const { call, row } = find(element);
  const isOpen = call.group.classList.contains("open");
  const moves = {
    ArrowDown: () => focus(rows[place + 1]),
    ArrowUp: () => focus(rows[place - 1]),
    Home: () => focus(rows[0]),
    End: () => focus(rows.at(-1)),
    ArrowRight: () => (isOpen ? focus(rows[place + 1]) : open(call)),
    ArrowLeft: () => {
      if (row) focus(call.row);
      else open(call, false);
    },
    Enter: () => act(element),
    " ": () => act(element),
  };
  if (!moves[event.key]) return;
  event.preventDefault();
  moves[event.key]();
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !hide() && event.target === filter) {
    filter.value = "";
    update();
  } else if (event.key === "/" && !/INPUT|SELECT/.test(event.target.tagName)) {
    event.preventDefault();
    filter.focus();
  }
});

function update() {
  const terms = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  shown = calls.filter((call) => (!failedOnly.checked || call.failed) && matches(call, terms));
  const visible = new Set(shown);
  for (const call of calls) call.group.hidden = !visible.has(call);
  const all = calls.length.toLocaleString("en");
  document.getElementById("count").textContent = shown.length === calls.length
    ? `${all} ${calls.length === 1 ? "call" : "calls"}` : `${shown.length.toLocaleString("en")} of ${all} calls`;
  document.getElementById("empty").hidden = shown.length > 0;
  if (shown.length) overview();
  if (!grid.querySelector(".call:not([hidden]) [tabindex='0']")) {
    grid.querySelector("[tabindex='0']")?.setAttribute("tabindex", "-1");
    if (shown.length) shown[0].row.tabIndex = 0;
  }
}

function summarise() {
  const count = (number, one, many) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
  const failed = calls.filter((call) => call.failed).length;
  const running = calls.filter((call) => call.ending === "running").length;
  const parts = [count(calls.length, "call", "calls")];
  if (failed) parts.push(`${failed.toLocaleString("en")} failed`);
  if (running) parts.push(`${running.toLocaleString("en")} still running`);
  if (calls.length) {
    const first = Math.min(...calls.map((call) => call.start));
    parts.push(`within ${duration(Math.max(...calls.map((call) => call.start + call.length)) - first)}`);
    parts.push(`from ${new Date(Math.min(...calls.map((call) => call.date))).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" })}`);
  }
  document.getElementById("summary").textContent = parts.join(", ");
  const notice = document.getElementById("notice");
  notice.hidden = !data.dropped;
  notice.textContent = `${count(data.dropped, "earlier call was", "earlier calls were")} dropped to make room.`;
}

document.querySelectorAll("[data-kind]").forEach((item) => item.prepend(swatch(item.dataset.kind)));
document.getElementById("clear").addEventListener("click", () => {
  filter.value = "";
  failedOnly.checked = false;
  update();
  filter.focus();
});
for (const control of [filter, failedOnly, align]) control.addEventListener("input", update);
addEventListener("resize", () => { if (shown.length) overview(); });
grid.append(...calls.map(callRow));
// By the clock, each of so many would be no more than a dot.
if (calls.length > 100) align.value = "start";
summarise();
update();
if (calls.length === 1) open(calls[0]);

// A link to one call, or to one of its rows.
function follow() {
  const [id, row] = location.hash.slice(1).split("/");
  const call = calls.find((call) => call.id === id);
  if (!call) return;
  open(call);
  // What is told with another row is found there.
  const at = call.rows.find((other) => other.timed && other.timed === call.rows[row])?.index ?? row;
  const element = row && document.getElementById(`row-${call.index}-${at}`);
  if (element) show(call, call.rows[at], element);
  focus(element || call.row);
}
addEventListener("hashchange", follow);
follow();
