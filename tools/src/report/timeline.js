// SPDX-License-Identifier: BSD-3-Clause
// The timeline: far out, each pixel has the shares of its time; close by, events are drawn one by one.
// Shares are halved in number again and again, so that each look reads about as many as there are pixels.
const T = DATA.timeline;
const GUTTER = 84;
const AXIS = 22;
const MINIMAP = 34;
const MOST_DRAWN = 30000;

const timelineData = {
  levels: null,
  rows: null,
  load() {
    if (this.levels) return;
    this.levels = [readShares(T)];
    for (let bins = T.bins; bins > 256; bins >>= 1) this.levels.push(this.halved(this.levels.at(-1), bins));
    this.rows = readEvents(T);
  },
  halved(fine, bins) {
    const half = bins >> 1, K = T.kinds, n = S.threads.length;
    const out = new Uint8Array(n * half * K);
    for (let row = 0; row < n; row++) {
      for (let bin = 0; bin < half; bin++) {
        for (let kind = 0; kind < K; kind++) {
          const at = (row * bins + 2 * bin) * K + kind;
          const sum = fine[at] + fine[at + K];
          out[(row * half + bin) * K + kind] = sum === 1 ? 1 : sum >> 1;
        }
      }
    }
    return out;
  },
};

// The first event that ends after `at`, in a row whose events begin in order.
function firstAfter(row, at) {
  let low = 0, high = row.begin.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (row.begin[middle] + row.longest < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

function firstBeginning(row, at) {
  let low = 0, high = row.begin.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (row.begin[middle] < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

function timelinePart(box) {
  timelineData.load();
  const n = S.threads.length;
  const rowHeight = Math.max(5, Math.min(30, Math.floor(560 / n)));
  const canvas = element("canvas", {id: "timeline-canvas", tabindex: 0, role: "img",
    "aria-label": "Timeline: plus and minus zoom, arrow keys move, 0 shows all"});
  const map = element("canvas", {id: "timeline-map", "aria-hidden": "true"});
  const status = element("span", {id: "timeline-status", "aria-live": "polite"});
  const joins = element("input", {type: "checkbox", id: "timeline-joins", checked: true, onchange: draw});
  const button = (text, label, act) => element("button", {type: "button", "aria-label": label, onclick: act}, text);
  box.append(element("div", {class: "controls"},
    button("+", "zoom in", () => zoom(0.5)), button("−", "zoom out", () => zoom(2)), button("all", "show all", all),
    element("label", {}, joins, "join threads at barriers and locks"), status), legend([...KINDS, ...(S.model === "openmp" ? ["region"] : [])]),
  element("div", {class: "frame"}, map, element("div", {class: "tall"}, canvas)),
  element("p", {class: "note"}, element("kbd", {}, "+"), " ", element("kbd", {}, "−"), " or the wheel with ", element("kbd", {}, "Ctrl"),
    " zoom, dragging or ", element("kbd", {}, "←"), " ", element("kbd", {}, "→"), " move, ", element("kbd", {}, "0"),
    " shows all. Blank is computing. ", T.shortest_ns
      ? `Of ${count(T.all_events)} events, those shorter than ${time(T.shortest_ns)} are drawn as shares of time only.`
      : `All ${count(T.all_events)} events are here.`));
  const view = {from: 0, to: T.wall_ns};
  const colors = () => [...KINDS.map(color)];

  function width() {
    return Math.max(320, box.clientWidth - 2);
  }
  function all() {
    view.from = 0;
    view.to = T.wall_ns;
    draw();
  }
  function limit(from, to) {
    const span = Math.min(T.wall_ns, Math.max(200, to - from));
    view.from = Math.min(Math.max(0, from), T.wall_ns - span);
    view.to = view.from + span;
    schedule();
  }
  function zoom(factor, at = (view.from + view.to) / 2) {
    limit(at - (at - view.from) * factor, at + (view.to - at) * factor);
  }
  function pan(share) {
    const span = view.to - view.from;
    limit(view.from + share * span, view.to + share * span);
  }
  let waiting = false;
  function schedule() {
    if (!waiting) {
      waiting = true;
      requestAnimationFrame(() => { waiting = false; draw(); });
    }
  }
  const x = (ns) => GUTTER + ((ns - view.from) / (view.to - view.from)) * (width() - GUTTER);

  function draw() {
    const w = width(), h = AXIS + n * rowHeight + 4;
    const context = sizedContext(canvas, w, h);
    axis(context, w, h);
    const ranges = timelineData.rows.map((row) => [firstAfter(row, view.from), firstBeginning(row, view.to)]);
    const events = ranges.reduce((sum, [from, to]) => sum + to - from, 0);
    const palette = colors();
    const exact = events <= MOST_DRAWN;
    if (!exact || T.shortest_ns) shares(context, w, palette);
    if (exact || S.model === "openmp") exactly(context, ranges, palette, exact);
    if (joins.checked) drawJoins(context);
    rowNames(context);
    minimap(w, palette);
    status.textContent = `${time(view.from)} to ${time(view.to)}: ${exact ? `${count(events)} events` : "shares of time"}`;
  }
  function rowTop(row) {
    return AXIS + row * rowHeight;
  }
  function axis(context, w, h) {
    context.font = "12px system-ui, sans-serif";
    const span = view.to - view.from;
    const raw = span / Math.max(2, Math.floor((w - GUTTER) / 110));
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= raw);
    context.strokeStyle = color("line");
    context.fillStyle = color("dim");
    context.textAlign = "center";
    for (let at = Math.ceil(view.from / step) * step; at <= view.to; at += step) {
      const px = Math.round(x(at)) + 0.5;
      context.beginPath();
      context.moveTo(px, AXIS - 4);
      context.lineTo(px, h);
      context.stroke();
      context.fillText(time(at), Math.min(px, w - 28), 13);
    }
  }
  function rowNames(context) {
    context.fillStyle = color("back");
    context.fillRect(0, AXIS, GUTTER - 2, n * rowHeight);
    context.fillStyle = color("dim");
    context.font = `${Math.min(12, rowHeight + 4)}px system-ui, sans-serif`;
    context.textAlign = "right";
    const step = Math.max(1, Math.ceil(12 / rowHeight));
    for (let row = 0; row < n; row += step) {
      context.fillText(`thread ${S.threads[row].thread}`, GUTTER - 8, rowTop(row) + rowHeight / 2 + 4);
    }
  }
  // Stacked from below, as parts of the row's height.
  function shares(context, w, palette) {
    const span = view.to - view.from, K = T.kinds;
    let level = 0;
    const pixels = w - GUTTER;
    while (level + 1 < timelineData.levels.length && (T.bins >> (level + 1)) * (span / T.wall_ns) >= pixels / 2) level++;
    const bins = T.bins >> level, data = timelineData.levels[level];
    const first = Math.floor((view.from / T.wall_ns) * bins), last = Math.min(bins - 1, Math.floor((view.to / T.wall_ns) * bins));
    for (let row = 0; row < n; row++) {
      const top = rowTop(row), high = rowHeight - (rowHeight > 8 ? 2 : 0);
      for (let bin = first; bin <= last; bin++) {
        const left = Math.max(GUTTER, x((bin * T.wall_ns) / bins)), right = x(((bin + 1) * T.wall_ns) / bins);
        let y = top + high;
        for (let kind = 0; kind < K; kind++) {
          const share = data[(row * bins + bin) * K + kind];
          if (!share) continue;
          const part = Math.max(1, (share / 255) * high);
          context.fillStyle = palette[kind];
          context.fillRect(left, y - part, Math.max(0.6, right - left), part);
          y -= part;
        }
      }
    }
  }
  function exactly(context, ranges, palette, exact) {
    const high = rowHeight - (rowHeight > 8 ? 2 : 0);
    const region = color("region");
    timelineData.rows.forEach((row, i) => {
      const top = rowTop(i);
      const [from, to] = ranges[i];
      const block = (at, fill) => {
        const left = Math.max(GUTTER, x(row.begin[at])), right = x(row.begin[at] + row.ns[at]);
        if (right < GUTTER) return;
        context.fillStyle = fill;
        context.fillRect(left, top, Math.max(0.8, right - left), high);
      };
      for (let at = from; at < to && exact; at++) {
        if (S.lines[row.line[at]].kind === "region") block(at, region);
      }
      for (let at = from; at < to && exact; at++) {
        const kind = KINDS.indexOf(S.lines[row.line[at]].kind);
        if (kind >= 0) block(at, palette[kind]);
      }
    });
  }
  function drawJoins(context) {
    const inside = T.barriers.filter(([at]) => at >= view.from && at <= view.to);
    const handed = T.handovers.filter(([, , to]) => to >= view.from && to <= view.to);
    context.lineWidth = 1.2;
    if (inside.length <= 300) {
      context.strokeStyle = context.fillStyle = color("text");
      for (const [at, row] of inside) {
        const px = x(at);
        context.globalAlpha = 0.45;
        context.beginPath();
        context.moveTo(px, AXIS);
        context.lineTo(px, AXIS + n * rowHeight);
        context.stroke();
        context.globalAlpha = 1;
        context.beginPath();
        context.arc(px, rowTop(row) + rowHeight / 2, 3, 0, 7);
        context.fill();
      }
    }
    if (handed.length <= 600) {
      context.strokeStyle = color("lock");
      for (const [from, a, to, b] of handed) {
        context.beginPath();
        context.moveTo(x(from), rowTop(a) + rowHeight / 2);
        context.lineTo(x(to), rowTop(b) + rowHeight / 2);
        context.stroke();
      }
    }
  }
  // All threads together, and where the view is.
  function minimap(w, palette) {
    const context = sizedContext(map, w, MINIMAP);
    const level = timelineData.levels.length - 1, bins = T.bins >> level, data = timelineData.levels[level], K = T.kinds;
    const step = (w - GUTTER) / bins;
    for (let bin = 0; bin < bins; bin++) {
      let y = MINIMAP - 2;
      for (let kind = 0; kind < K; kind++) {
        let sum = 0;
        for (let row = 0; row < n; row++) sum += data[(row * bins + bin) * K + kind];
        const part = (sum / n / 255) * (MINIMAP - 4);
        if (part <= 0) continue;
        context.fillStyle = palette[kind];
        context.fillRect(GUTTER + bin * step, y - part, step + 0.5, part);
        y -= part;
      }
    }
    context.strokeStyle = color("accent");
    context.lineWidth = 2;
    const left = GUTTER + (view.from / T.wall_ns) * (w - GUTTER), right = GUTTER + (view.to / T.wall_ns) * (w - GUTTER);
    context.strokeRect(left + 1, 1, Math.max(3, right - left - 2), MINIMAP - 2);
  }

  function eventAt(px, py) {
    const i = Math.floor((py - AXIS) / rowHeight);
    if (i < 0 || i >= n || px < GUTTER) return null;
    const row = timelineData.rows[i];
    const ns = (px - GUTTER) / (width() - GUTTER) * (view.to - view.from) + view.from;
    const slack = (2 / (width() - GUTTER)) * (view.to - view.from);
    let best = -1;
    for (let at = firstAfter(row, ns - slack), end = firstBeginning(row, ns + slack), tries = 0; at < end && tries < 20000; at++, tries++) {
      const holds = row.begin[at] - slack <= ns && row.begin[at] + row.ns[at] + slack >= ns;
      if (holds && (best < 0 || row.ns[at] <= row.ns[best] || S.lines[row.line[best]].kind === "region")) best = at;
    }
    return {row: i, at: best, ns};
  }
  function describe(found) {
    const thread = S.threads[found.row].thread;
    if (found.at < 0) return `thread ${thread} at ${time(found.ns)}`;
    const row = timelineData.rows[found.row], line = S.lines[row.line[found.at]];
    const parts = [`thread ${thread}: ${nameOf(line)} ${placeOf(line)}`, `${time(row.ns[found.at])} from ${time(row.begin[found.at])}`];
    if (row.peer[found.at] >= 0) parts.push(`${bytes(row.value[found.at])} with thread ${row.peer[found.at]}`);
    const source = sourceLine(line);
    if (source) parts.push(source);
    return parts.join("\n");
  }
  let drag = null;
  canvas.addEventListener("pointerdown", (event) => {
    drag = {x: event.offsetX, from: view.from, to: view.to};
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (drag) {
      const ns = ((drag.x - event.offsetX) / (width() - GUTTER)) * (drag.to - drag.from);
      hideTip();
      return limit(drag.from + ns, drag.to + ns);
    }
    const found = eventAt(event.offsetX, event.offsetY);
    if (found) showTip(describe(found), event.clientX, event.clientY);
    else hideTip();
  });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => { drag = null; });
  canvas.addEventListener("pointerleave", hideTip);
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey && Math.abs(event.deltaX) < Math.abs(event.deltaY)) return;
    event.preventDefault();
    if (event.ctrlKey || event.metaKey) {
      const at = ((event.offsetX - GUTTER) / (width() - GUTTER)) * (view.to - view.from) + view.from;
      zoom(Math.exp(event.deltaY / 300), at);
    } else {
      pan((event.deltaX || event.deltaY) / width());
    }
  }, {passive: false});
  canvas.addEventListener("dblclick", (event) => {
    zoom(0.25, ((event.offsetX - GUTTER) / (width() - GUTTER)) * (view.to - view.from) + view.from);
  });
  canvas.addEventListener("keydown", (event) => {
    const act = {"+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2), "0": all,
      ArrowLeft: () => pan(-0.2), ArrowRight: () => pan(0.2), Home: () => limit(0, view.to - view.from),
      End: () => limit(T.wall_ns - (view.to - view.from), T.wall_ns)}[event.key];
    if (act) {
      event.preventDefault();
      act();
    }
  });
  const moveMap = (event) => {
    const at = ((event.offsetX - GUTTER) / (width() - GUTTER)) * T.wall_ns, half = (view.to - view.from) / 2;
    limit(at - half, at + half);
  };
  map.addEventListener("pointerdown", (event) => { map.setPointerCapture(event.pointerId); moveMap(event); });
  map.addEventListener("pointermove", (event) => { if (event.buttons) moveMap(event); });
  draw();
  return draw;
}
