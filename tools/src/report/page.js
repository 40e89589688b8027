// SPDX-License-Identifier: BSD-3-Clause
// The tabs: each part is made when it is first shown. The fragment of the address names the part.
const PARTS = [
  ["summary", "Summary", summaryPart],
  ["matrix", "Matrix", matrixPart],
  ["timeline", "Timeline", timelinePart],
  ["lines", "Lines", linesPart],
  ["memory", "Memory", memoryPart],
  ...(S.pages.length ? [["pages", "Pages", pagesPart]] : []),
];

const shown = {redraw: null};

function show(id) {
  const [name, , make] = PARTS.find(([other]) => other === id) || PARTS[0];
  const box = element("section", {role: "tabpanel", id: `part-${name}`, "aria-labelledby": `tab-${name}`});
  document.getElementById("main").replaceChildren(box);
  hideTip();
  for (const tab of document.getElementById("tabs").children) {
    const selected = tab.id === `tab-${name}`;
    tab.setAttribute("aria-selected", selected);
    tab.tabIndex = selected ? 0 : -1;
  }
  shown.redraw = make(box) || null;
  linesPart.wanted = 0;
}

function begin() {
  const threads = S.threads.length === 1 ? "1 thread" : `${count(S.threads.length)} threads`;
  const hosts = S.hosts.length > 1 ? ` on ${S.hosts.length} hosts` : "";
  const failed = S.threads.some((t) => !t.ended) ? "; it did not come to its end" : "";
  document.getElementById("about").textContent =
    `${S.model === "upc" ? "UPC" : "OpenMP"}, ${threads}${hosts}, ${time(S.wall_ns)}${failed}`;
  const tabs = document.getElementById("tabs");
  for (const [id, text] of PARTS) {
    tabs.append(element("button", {role: "tab", id: `tab-${id}`, type: "button",
      onclick: () => { location.hash = id; }}, text));
  }
  tabs.addEventListener("keydown", (event) => {
    const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (!step) return;
    const all = [...tabs.children];
    const next = all[(all.indexOf(document.activeElement) + step + all.length) % all.length];
    next.focus();
    next.click();
  });
  addEventListener("hashchange", () => show(location.hash.slice(1)));
  addEventListener("resize", () => shown.redraw && shown.redraw());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => shown.redraw && shown.redraw());
  show(location.hash.slice(1));
}

begin();
