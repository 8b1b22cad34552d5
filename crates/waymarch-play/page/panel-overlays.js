// The overlays page: each overlay with its description, and with a legend while it is on.

import { h } from "./dom.js";
import { FORM, LINES, MARKS, palette } from "./overlays.js";

/**
 * @import {PageBuilder} from "./panel.js"
 * @import {Hello, Overlay} from "./store.js"
 */

/** What to do to see an overlay, by what it needs. @type {Record<string, string>} */
const HINTS = { unit: "Select a unit to see this overlay.", selection: "Select units to see this overlay." };

/** @type {PageBuilder} */
export function overlaysPage(host, store, view) {
  const kind = h("select", {
    onchange: () => {
      store.overlayKind = kind.selectedIndex;
      store.say("overlay-kind");
    },
  });
  const list = h("div");
  host.append(h("label", { class: "field" }, "For this type of unit", kind), list);
  /** @type {Map<string, {legend: HTMLElement, box: any, hint: string}>} */ const rows = new Map();

  store.on("hello", () => {
    const hello = /** @type {Hello} */ (store.hello);
    kind.replaceChildren(...hello.types.map((type) => h("option", {},
      `${type.name} (${type.locomotor}, ${type.size} cell${type.size > 1 ? "s" : ""})`)));
    if (store.overlayKind >= hello.types.length) store.overlayKind = 0;
    kind.selectedIndex = store.overlayKind;
    rows.clear();
    list.replaceChildren(
      ...hello.overlays.map((info) => {
        const box = h("input", {
          type: "checkbox", id: `overlay-${info.name}`, checked: store.shown.has(info.name),
          onchange: () => store.show(info.name, box.checked),
        });
        const legend = h("div", { class: "legend" });
        rows.set(info.name, { legend, box, hint: HINTS[info.needs] ?? "" });
        return h("label", { class: "overlay", for: `overlay-${info.name}` }, box, h("b", {}, info.title),
          h("span", { class: "about" }, info.about), legend);
      }),
    );
  });

  const legend = (name) => {
    const row = rows.get(name);
    if (!row) return;
    const overlay = store.overlays.get(name);
    row.box.checked = store.shown.has(name);
    if (!store.shown.has(name)) row.legend.replaceChildren();
    else if (!overlay) row.legend.replaceChildren(row.hint && !store.selected.size ? row.hint : "…");
    else if (overlay.form === FORM.marks) marksLegend(row.legend, overlay, view);
    else row.legend.replaceChildren(...legendOf(overlay));
  };
  store.on("overlay shown", legend);
  store.on("selection", () => store.shown.forEach(legend));
}

/** @param {Overlay} overlay */
function legendOf(overlay) {
  if (overlay.form === FORM.heat) {
    const scale = h("div", { class: "scale" });
    scale.style.background = `linear-gradient(90deg, ${palette(overlay.name).join(",")})`;
    return [scale, h("div", { class: "ends" }, h("span", {}, "0"), h("span", {}, String(overlay.most)))];
  }
  if (overlay.form === FORM.areas) return [h("span", {}, `${overlay.most} areas`)];
  if (overlay.form === FORM.arrows) return [keys([["#ffffff", "direction to the goal"], ["#ffe66d", "goal in sight"],
    ["#ff3d6e", "goal"]])];
  const styles = [...new Set((overlay.lines ?? []).map((line) => line.style))].sort((a, b) => a - b);
  if (!styles.length) return [h("span", {}, "Nothing to show now.")];
  return [keys(styles.map((style) => [LINES[style]?.colour ?? "#fff", LINES[style]?.name ?? "?"]))];
}

/** @param {string[][]} list */
const keys = (list) => {
  const swatch = (colour) => {
    const it = h("i");
    it.style.background = colour;
    return it;
  };
  return h("div", { class: "keys" }, list.map(([colour, name]) => h("span", {}, swatch(colour), name)));
};

/** Marks come in the order of the search; a slider steps through them. */
function marksLegend(host, overlay, view) {
  const { ink } = view;
  const marks = overlay.marks ?? new Int32Array(0);
  const count = marks.length / 3;
  const kinds = [...new Set(Array.from({ length: count }, (_, i) => marks[i * 3 + 2]))].sort((a, b) => a - b);
  const old = host.querySelector("input");
  // Do not replace a slider while the user moves it.
  if (old && Number(old.max) === count) return;
  ink.marksShown = Infinity;
  if (!count) return host.replaceChildren("Nothing to show now.");
  const text = h("span", { class: "mono" }, String(count));
  const show = (n) => {
    ink.marksShown = n;
    ink.dirty = true;
    slider.value = String(n);
    text.textContent = `${n}/${count}`;
  };
  const slider = h("input", { type: "range", min: 0, max: count, value: count, "aria-label": "Steps of the search",
    oninput: () => show(Number(slider.value)) });
  let running = 0;
  const run = h("button", {
    type: "button", class: "button", title: "Play the search step by step", "aria-label": "Play the search step by step",
    onclick: (event) => {
      event.preventDefault();
      cancelAnimationFrame(running);
      let at = 0;
      const turn = () => {
        at = Math.min(count, at + Math.max(1, Math.ceil(count / 240)));
        show(at);
        if (at < count && host.contains(slider)) running = requestAnimationFrame(turn);
      };
      turn();
    },
  }, "▸");
  host.replaceChildren(
    keys(kinds.map((kind) => [MARKS[kind]?.colour ?? "#fff", MARKS[kind]?.name ?? "?"])),
    h("div", { class: "steps" }, run, slider, text),
  );
}
