// SPDX-License-Identifier: BSD-3-Clause
// The parts that are bars, tables and the matrix.
function legend(kinds) {
  return element("div", {class: "legend"}, ...kinds.map((kind) =>
    element("span", {}, element("i", {style: `background:var(--${kind})`}), KIND_TEXT[kind])));
}

function card(value, text) {
  return element("div", {class: "card"}, element("b", {}, value), element("span", {}, text));
}

function bar(parts, whole, tip) {
  const made = element("div", {class: "bar"});
  for (const [kind, value] of parts) {
    if (value > 0) {
      made.append(element("div", {style: `width:${(100 * value) / whole}%;background:var(--${kind})`}));
    }
  }
  made.addEventListener("mousemove", (event) => showTip(tip, event.clientX, event.clientY));
  made.addEventListener("mouseleave", hideTip);
  return made;
}

function summaryPart(box) {
  const sum = (pick) => S.threads.reduce((all, thread) => all + pick(thread), 0);
  const ran = sum((t) => t.ran_ns);
  const moved = S.matrix.filter((c) => c.from !== c.to)
    .reduce((all, c) => all + c.read_bytes + c.written_bytes, 0);
  box.append(element("div", {class: "cards"},
    card(time(S.wall_ns), "from begin to end"),
    card(percent(sum((t) => t.compute_ns), ran), "of the threads' time computing"),
    card(percent(sum((t) => t.barrier_ns), ran), "waiting at barriers"),
    card(percent(sum((t) => t.lock_ns), ran), "with locks"),
    card(percent(sum((t) => t.transfer_ns + t.collective_ns), ran), "with transfers"),
    card(S.balance.toFixed(2), "balance: mean / most computing"),
    card(bytes(moved), "between threads")));
  box.append(element("h2", {}, "What to do"));
  box.append(S.advice.length ? element("ul", {class: "advice"}, ...S.advice.map(adviceItem))
    : element("p", {class: "note"}, "Nothing stands out."));
  S.notes.forEach((note) => box.append(element("p", {class: "note"}, `Note: ${note}.`)));
  box.append(element("h2", {}, "Time of each thread"), legend(["compute", ...KINDS]));
  const most = Math.max(1, ...S.threads.map((t) => t.ran_ns));
  const bars = element("div", {class: "bars"});
  for (const thread of S.threads) {
    const parts = ["compute", ...KINDS].map((kind) => [kind, thread[`${kind}_ns`]]);
    const tip = parts.filter(([, ns]) => ns > 0)
      .map(([kind, ns]) => `${KIND_TEXT[kind]}: ${time(ns)} (${percent(ns, thread.ran_ns)})`);
    bars.append(element("span", {class: "name"}, `thread ${thread.thread}`), bar(parts, most, tip.join("\n")),
      element("span", {class: "value"}, `${time(thread.compute_ns)} computing${thread.ended ? "" : ", did not end"}`));
  }
  box.append(bars);
}

function adviceItem(advice) {
  const line = S.lines.findIndex((l) => l.file === advice.file && l.line === advice.line && l.ns === advice.ns);
  const place = advice.file
    ? element("a", {href: "#lines", onclick: () => { linesPart.wanted = Math.max(0, line); }},
      `${advice.file.split("/").pop()}:${advice.line}`) : null;
  return element("li", {}, element("div", {class: "title"}, ...(place ? [place, ": "] : []), advice.title),
    element("div", {class: "evidence"}, advice.evidence));
}

// From blue over green to yellow, as light grows.
function heat(share) {
  const stops = [[68, 57, 131], [49, 104, 142], [33, 145, 140], [68, 191, 112], [253, 231, 37]];
  const at = Math.min(share, 0.9999) * (stops.length - 1);
  const [low, high, part] = [stops[Math.floor(at)], stops[Math.floor(at) + 1], at % 1];
  return `rgb(${low.map((c, i) => Math.round(c + (high[i] - c) * part)).join(",")})`;
}

function matrixCells(byHost) {
  const hostOf = new Map(S.threads.map((t) => [t.thread, t.host]));
  const direct = S.model === "openmp";
  const name = (n) => (byHost && !direct ? hostOf.get(n) ?? 0 : n);
  const cells = new Map();
  for (const cell of S.matrix) {
    const key = `${name(cell.from)},${name(cell.to)}`;
    const sum = cells.get(key) || {reads: 0, read_bytes: 0, writes: 0, written_bytes: 0};
    for (const field of Object.keys(sum)) sum[field] += cell[field];
    cells.set(key, sum);
  }
  return cells;
}

function matrixPart(box) {
  const hosts = S.hosts.length > 1;
  const choose = (label, id, options) => element("label", {}, label, element("select", {id, onchange: draw},
    ...options.map(([value, text]) => element("option", {value}, text))));
  const which = choose("between", "matrix-of", [...(S.model === "upc" ? [["threads", "threads"]] : []),
    ...(hosts || S.model === "openmp" ? [["hosts", "hosts"]] : [])]);
  const what = choose("colour shows", "matrix-what", [["bytes", "bytes"], ["messages", "accesses"]]);
  const side = choose("of", "matrix-side", [["both", "reads and writes"], ["reads", "reads"], ["writes", "writes"]]);
  const canvas = element("canvas", {tabindex: 0, id: "matrix-canvas", role: "img",
    "aria-label": "Matrix of what was read and written; arrow keys move between its cells"});
  const readout = element("p", {class: "note", id: "matrix-readout", "aria-live": "polite"});
  const scale = element("div", {class: "legend"});
  box.append(element("div", {class: "controls"}, which, what, side), element("div", {class: "matrix"},
    element("div", {}, canvas, scale, readout)));
  if (!S.matrix.length) {
    readout.textContent = "No access to others' memory was recorded. On one host, single accesses are ordinary loads and stores: upcc -inst has them counted.";
  }
  let cells, n, size, at = null;
  const margin = 46;
  const value = (cell) => {
    const bytesOf = what.lastChild.value === "bytes";
    const reads = bytesOf ? cell.read_bytes : cell.reads;
    const writes = bytesOf ? cell.written_bytes : cell.writes;
    return {both: reads + writes, reads, writes}[side.lastChild.value];
  };
  function draw() {
    const byHost = which.lastChild.value === "hosts";
    cells = matrixCells(byHost);
    n = byHost ? S.hosts.length : Math.max(1, ...S.threads.map((t) => t.thread + 1));
    size = Math.max(n > 200 ? 2 : 6, Math.min(56, Math.floor(Math.min(640, innerWidth - 120) / n)));
    const context = sizedContext(canvas, margin + n * size + 2, margin + n * size + 2);
    const most = Math.max(1, ...[...cells.values()].map(value));
    context.fillStyle = color("empty");
    context.fillRect(margin, margin, n * size, n * size);
    for (const [key, cell] of cells) {
      const [from, to] = key.split(",").map(Number);
      const v = value(cell);
      if (v > 0) {
        context.fillStyle = heat(most > 1 ? Math.log(v + 1) / Math.log(most + 1) : 1);
        context.fillRect(margin + to * size, margin + from * size, size - (size > 5 ? 1 : 0), size - (size > 5 ? 1 : 0));
      }
    }
    if (at) {
      context.strokeStyle = color("text");
      context.lineWidth = 2;
      context.strokeRect(margin + at[1] * size, margin + at[0] * size, size, size);
    }
    labels(context);
    scale.replaceChildren(element("span", {}, "log scale: 1 "),
      ...[0.02, 0.25, 0.5, 0.75, 1].map((x) => element("i", {style: `background:${heat(x)};width:34px;margin:0 -16px 0 0;border-radius:0`})),
      element("span", {style: "margin-left:10px"}, what.lastChild.value === "bytes" ? bytes(most) : count(most)));
  }
  function labels(context) {
    context.fillStyle = color("dim");
    context.font = "12px system-ui, sans-serif";
    const step = Math.max(1, Math.ceil(16 / size));
    for (let i = 0; i < n; i += step) {
      context.textAlign = "right";
      context.fillText(String(i), margin - 6, margin + (i + 0.5) * size + 4);
      context.textAlign = "center";
      context.fillText(String(i), margin + (i + 0.5) * size, margin - 6);
    }
    context.textAlign = "left";
    context.fillText("memory of →", margin, 14);
    context.save();
    context.translate(12, margin + 70);
    context.rotate(-Math.PI / 2);
    context.fillText("accessed by →", -60, 0);
    context.restore();
  }
  function text([from, to]) {
    const unit = which.lastChild.value === "hosts" ? "host" : "thread";
    const cell = cells.get(`${from},${to}`);
    const begin = from === to ? `${unit} ${from} with itself` : `${unit} ${from} with ${unit} ${to}'s memory`;
    return cell ? `${begin}\n${count(cell.reads)} reads, ${bytes(cell.read_bytes)}\n${count(cell.writes)} writes, ${bytes(cell.written_bytes)}`
      : `${begin}\nnothing recorded`;
  }
  function select(cell) {
    at = cell;
    readout.textContent = text(cell).replaceAll("\n", "; ");
    draw();
  }
  canvas.addEventListener("mousemove", (event) => {
    const to = Math.floor((event.offsetX - margin) / size), from = Math.floor((event.offsetY - margin) / size);
    if (from < 0 || to < 0 || from >= n || to >= n) return hideTip();
    showTip(text([from, to]), event.clientX, event.clientY);
  });
  canvas.addEventListener("mouseleave", hideTip);
  canvas.addEventListener("click", (event) => {
    const to = Math.floor((event.offsetX - margin) / size), from = Math.floor((event.offsetY - margin) / size);
    if (from >= 0 && to >= 0 && from < n && to < n) select([from, to]);
  });
  canvas.addEventListener("keydown", (event) => {
    const moves = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]};
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    const [from, to] = at || [0, 0];
    const inside = (x) => Math.min(n - 1, Math.max(0, x));
    select(at ? [inside(from + move[0]), inside(to + move[1])] : [0, 0]);
  });
  draw();
  return draw;
}

const LINE_COLUMNS = [
  ["place", "text", (l) => placeOf(l), (l) => placeOf(l) || "-"],
  ["what", "text", (l) => nameOf(l), null],
  ["source", "text code", (l) => sourceLine(l), (l) => sourceLine(l)],
  ["time", "", (l) => l.ns, (l) => (l.ns ? time(l.ns) : "")],
  ["share", "", (l) => l.ns, (l) => (l.ns ? percent(l.ns, S.threads.reduce((a, t) => a + t.ran_ns, 0)) : "")],
  ["operations", "", (l) => l.operations, (l) => operations(l)],
  ["bytes", "", (l) => l.bytes, (l) => (l.bytes ? bytes(l.bytes) : "")],
  ["longest", "", (l) => l.longest_ns, (l) => (l.longest_ns ? time(l.longest_ns) : "")],
  ["remote", "", (l) => l.far / Math.max(1, l.own + l.near + l.far), (l) => remote(l)],
  ["mostly with", "text", (l) => l.peer ?? -1, (l) => (l.peer === null ? "" : `thread ${l.peer}`)],
];

function remote(line) {
  const all = line.own + line.near + line.far;
  return all ? percent(line.far, all) : "";
}

/* Of loops that count in some iterations, about so many. */
function operations(line) {
  return (line.sampled ? "~ " : "") + count(line.operations);
}

function sourceLine(line) {
  const text = DATA.sources[line.file];
  if (text === undefined) return "";
  sourceLine.split = sourceLine.split || new Map();
  if (!sourceLine.split.has(line.file)) sourceLine.split.set(line.file, text.split("\n"));
  return (sourceLine.split.get(line.file)[line.line - 1] || "").trim();
}

function linesPart(box) {
  const body = element("tbody");
  const head = element("tr");
  const source = element("div");
  let order = 3, descending = true;
  const total = S.lines.length;
  box.append(element("p", {class: "note"}, total
    ? `${count(total)} places; a row opens its source. Time is that of all threads together. Remote: the share of accesses that went to other hosts.`
    : "No place has waited or accessed others' memory."));
  if (S.lines.some((l) => l.sampled)) {
    box.append(element("p", {class: "note"}, "~: of long loops one of each 512 iterations was counted, at random, and stands for these."));
  }
  if (!S.lines.some((l) => l.file)) {
    box.append(element("p", {class: "note"}, "Lines of calls are known of programs that were compiled with upcc -inst."));
  }
  LINE_COLUMNS.forEach(([name, kind], i) => head.append(element("th", {class: kind.split(" ")[0], scope: "col"},
    element("button", {type: "button", onclick: () => {
      descending = order === i ? !descending : true;
      order = i;
      fill();
    }}, name))));
  box.append(element("div", {class: "scroll"}, element("table", {id: "lines-table"}, element("thead", {}, head), body)), source);
  function fill() {
    [...head.children].forEach((th, i) => (i === order
      ? th.setAttribute("aria-sort", descending ? "descending" : "ascending") : th.removeAttribute("aria-sort")));
    const key = LINE_COLUMNS[order][2];
    const sign = descending ? -1 : 1;
    const sorted = S.lines.map((line, i) => [key(line), i])
      .sort(([a], [b]) => (a < b ? -sign : a > b ? sign : 0));
    body.replaceChildren(...sorted.slice(0, 500).map(([, i]) => row(i)));
  }
  function row(i) {
    const line = S.lines[i];
    const made = element("tr", {tabindex: 0, "data-line": i, onclick: () => open(i), onkeydown: (event) => {
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); open(i); }
      if (event.key === "ArrowDown") { event.preventDefault(); made.nextSibling?.focus(); }
      if (event.key === "ArrowUp") { event.preventDefault(); made.previousSibling?.focus(); }
    }});
    LINE_COLUMNS.forEach(([name, kind, value, show]) => {
      const cell = element("td", {class: kind}, (show || value)(line));
      if (name === "what") cell.prepend(element("i", {class: "kind", style: `background:var(--${line.kind})`}));
      made.append(cell);
    });
    return made;
  }
  function open(i) {
    body.querySelectorAll("[aria-selected]").forEach((other) => other.removeAttribute("aria-selected"));
    body.querySelector(`[data-line="${i}"]`)?.setAttribute("aria-selected", "true");
    source.replaceChildren(...sourceView(S.lines[i]));
    const [view, at] = [source.querySelector(".source"), source.querySelector(".at")];
    if (at) view.scrollTop = at.offsetTop - view.offsetTop - view.clientHeight / 2;
  }
  fill();
  if (total) open(linesPart.wanted || 0);
}

function sourceView(line) {
  if (!line.file) return [element("p", {class: "note"}, `The place of ${nameOf(line)} is not known: compile with upcc -inst.`)];
  const text = DATA.sources[line.file];
  if (text === undefined) return [element("p", {class: "note"}, `The source ${line.file} was not found when the report was made.`)];
  const sums = new Map();
  let most = 1;
  for (const other of S.lines.filter((l) => l.file === line.file)) {
    const sum = sums.get(other.line) || {ns: 0, operations: 0, bytes: 0, own: 0, near: 0, far: 0, sampled: 0};
    for (const field of Object.keys(sum)) sum[field] += other[field];
    sums.set(other.line, sum);
    most = Math.max(most, sum.ns);
  }
  const cells = (...texts) => texts.map((t) => element("span", {}, t));
  const view = element("div", {class: "source", id: "source", tabindex: 0},
    element("div", {class: "head"}, ...cells("time", "operations", "bytes", "remote", "line", line.file)));
  text.split("\n").forEach((code, i) => {
    const sum = sums.get(i + 1);
    const made = element("div", {class: `${sum ? "hot" : ""} ${i + 1 === line.line ? "at" : ""}`},
      ...(sum ? cells(sum.ns ? time(sum.ns) : "", operations(sum), sum.bytes ? bytes(sum.bytes) : "", remote(sum))
        : cells("", "", "", "")), ...cells(String(i + 1), code || " "));
    if (sum) made.style.setProperty("--part", `${(100 * sum.ns) / most}%`);
    view.append(made);
  });
  return [element("h2", {}, "Source"), view];
}

function memoryPart(box) {
  const most = Math.max(1, ...S.threads.map((t) => Math.max(t.shared_peak_bytes, t.shared_bytes)));
  if (S.model === "upc") {
    box.append(element("h2", {}, "Shared memory of each thread, at its most"));
    const bars = element("div", {class: "bars"});
    for (const t of S.threads) {
      bars.append(element("span", {class: "name"}, `thread ${t.thread}`),
        bar([["transfer", t.shared_bytes], ["compute", t.shared_peak_bytes - t.shared_bytes]], most,
          `at the end ${bytes(t.shared_bytes)}\nat its most ${bytes(t.shared_peak_bytes)}`),
        element("span", {class: "value"}, `${bytes(t.shared_peak_bytes)}, ${bytes(t.shared_bytes)} at the end`));
    }
    box.append(bars);
  }
  const processes = new Map();
  for (const t of S.threads) {
    const process = processes.get(t.process) || {first: t.thread, last: t.thread, bytes: 0};
    process.last = t.thread;
    process.bytes = Math.max(process.bytes, t.resident_bytes);
    processes.set(t.process, process);
  }
  const largest = Math.max(1, ...[...processes.values()].map((p) => p.bytes));
  box.append(element("h2", {}, "Resident memory of each process, at its most"));
  const bars = element("div", {class: "bars"});
  for (const [number, p] of processes) {
    const who = p.first === p.last ? `thread ${p.first}` : `threads ${p.first}-${p.last}`;
    bars.append(element("span", {class: "name"}, `process ${number} (${who})`),
      bar([["memory", p.bytes]], largest, bytes(p.bytes)),
      element("span", {class: "value"}, p.bytes ? bytes(p.bytes) : "not known"));
  }
  box.append(bars, element("p", {class: "note"}, "Resident memory has the pages of shared memory that the process has touched."));
}

function pagesPart(box) {
  const several = S.pages.filter((page) => page.writers.length > 1).length;
  box.append(element("p", {class: "note"}, `${count(S.pages.length)} pages had faults; ${count(several)} were written by several hosts.`));
  const head = element("tr", {}, ...["variable", "address", "faults", "written", "writers"].map((name, i) =>
    element("th", {class: i < 2 ? "text" : "", scope: "col"}, name)));
  const rows = S.pages.slice(0, 1000).map((page) => element("tr", {},
    element("td", {class: "text code"}, page.variable || "(heap or stack)"), element("td", {class: "text code"}, `0x${page.address.toString(16)}`),
    element("td", {}, count(page.faults)), element("td", {}, count(page.written)),
    element("td", {}, page.writers.map((h) => `host ${h}`).join(", "))));
  box.append(element("div", {class: "scroll"}, element("table", {id: "pages-table"}, element("thead", {}, head), element("tbody", {}, ...rows))));
}
