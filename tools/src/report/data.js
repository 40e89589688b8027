// SPDX-License-Identifier: BSD-3-Clause
// The data of the page, and how it is written for people.
const DATA = JSON.parse(document.getElementById("data").textContent);
const S = DATA.summary;
const KINDS = ["barrier", "lock", "transfer", "collective", "signal", "memory"];
const KIND_TEXT = {
  compute: "computing", barrier: "barriers", lock: "locks", transfer: "transfers",
  collective: "collectives", signal: S.model === "openmp" ? "outside of regions" : "signals", memory: "allocation", region: "parallel region",
};

function time(ns) {
  if (ns < 1e3) return `${Math.round(ns)} ns`;
  if (ns < 1e6) return `${(ns / 1e3).toPrecision(3)} µs`;
  if (ns < 1e9) return `${(ns / 1e6).toPrecision(3)} ms`;
  return `${(ns / 1e9).toPrecision(4)} s`;
}

function count(n) {
  return Math.round(n).toLocaleString("en-US");
}

function bytes(n) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  for (; n >= 1024 && unit < units.length - 1; unit++) n /= 1024;
  return unit ? `${n.toPrecision(3)} ${units[unit]}` : `${n} B`;
}

function percent(part, whole) {
  return whole > 0 ? `${((100 * part) / whole).toFixed(1)} %` : "-";
}

function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

// element("p", {class: "note"}, "text", otherElement)
function element(name, attributes, ...content) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== null && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...content.filter((part) => part !== null && part !== undefined));
  return made;
}

function decode64(text) {
  const raw = atob(text);
  const out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
  return out;
}

// Reads numbers in LEB128; beyond 2^53 they are rounded.
class Reader {
  constructor(data) {
    this.data = data;
    this.at = 0;
  }
  number() {
    let value = 0, factor = 1, byte;
    do {
      byte = this.data[this.at++];
      value += (byte & 127) * factor;
      factor *= 128;
    } while (byte & 128);
    return value;
  }
}

// Shares of time: [(thread * bins + bin) * kinds + kind], in 1/255.
function readShares(timeline) {
  const reader = new Reader(decode64(timeline.shares));
  const out = new Uint8Array(S.threads.length * timeline.bins * timeline.kinds);
  for (let at = 0; reader.at < reader.data.length;) {
    at += reader.number();
    const n = reader.number();
    out.set(reader.data.subarray(reader.at, reader.at + n), at);
    reader.at += n;
    at += n;
  }
  return out;
}

function readEvents(timeline) {
  const reader = new Reader(decode64(timeline.events));
  return S.threads.map(() => {
    const n = reader.number();
    const row = {
      begin: new Float64Array(n), ns: new Float64Array(n), line: new Uint32Array(n),
      peer: new Int32Array(n), value: new Float64Array(n), longest: 0,
    };
    let last = 0;
    for (let i = 0; i < n; i++) {
      last += reader.number();
      row.begin[i] = last;
      row.ns[i] = reader.number();
      row.line[i] = reader.number();
      row.peer[i] = reader.number() - 1;
      row.value[i] = reader.number();
      row.longest = Math.max(row.longest, row.ns[i]);
    }
    return row;
  });
}

function placeOf(line) {
  return line.file ? `${line.file.split("/").pop()}:${line.line}` : "";
}

function nameOf(line) {
  return line.call || (line.what === "others" ? "other places" : line.what);
}

const TIP = document.getElementById("tip");

function showTip(text, x, y) {
  TIP.textContent = text;
  TIP.hidden = false;
  const box = TIP.getBoundingClientRect();
  TIP.style.left = `${Math.max(4, Math.min(x + 14, innerWidth - box.width - 8))}px`;
  TIP.style.top = `${y + 18 + box.height > innerHeight ? y - box.height - 10 : y + 18}px`;
}

function hideTip() {
  TIP.hidden = true;
}

// A canvas of so many CSS pixels, sharp on every screen.
function sizedContext(canvas, width, height) {
  const scale = window.devicePixelRatio || 1;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext("2d");
  context.setTransform(scale, 0, 0, scale, 0, 0);
  return context;
}
