// The events page: the latest event first.

import { h } from "./dom.js";

/** @import {PageBuilder} from "./panel.js" */

/** At most 120 lines are shown. */
const LINES = 120;
/** Drawn at most every 250 ms. */
const EVERY = 250;
/** Parts of event names that give an event a good or bad colour. */
const TONES = [["arriv", "good"], ["gave", "bad"], ["block", "bad"], ["stuck", "bad"], ["lost", "bad"]];

/** @type {PageBuilder} */
export function eventsPage(host, store, view) {
  const list = h("ol", { class: "log" });
  const kinds = h("select", { "aria-label": "Which events", onchange: () => draw() },
    h("option", { value: "" }, "All events"));
  const clear = h("button", { type: "button", class: "button solid", onclick: () => {
    store.log.length = 0;
    draw();
  } }, "Clear");
  host.append(h("div", { class: "row" }, kinds, clear), list);
  const known = new Set();
  let due = 0;

  const draw = () => {
    const wish = kinds.value;
    const shown = [];
    for (let i = store.log.length - 1; i >= 0 && shown.length < LINES; i--) {
      if (!wish || store.log[i].what === wish) shown.push(store.log[i]);
    }
    if (!shown.length) return list.replaceChildren(h("li", { class: "empty", style: "display:block" },
      "No events yet. Select units and right-click to give them an order."));
    list.replaceChildren(...shown.map((event) => {
      const tone = TONES.find(([word]) => event.what.toLowerCase().includes(word))?.[1] ?? "";
      return h("li", {}, h("span", { class: "mono" }, String(event.tick)),
        h("button", { type: "button", title: "Show this unit", onclick: () => go(event.unit) }, `#${event.unit}`),
          h("span", { class: tone }, event.text));
    }));
  };
  const go = (unit) => {
    const i = store.stage.indexOf(unit);
    if (i < 0) return store.toast(`Unit ${unit} no longer exists`);
    view.camera.goTo(...store.stage.at(i, 1));
    store.select([unit]);
  };
  store.on("log", (events) => {
    for (const { what } of events) {
      if (known.has(what) || known.size > 40) continue;
      known.add(what);
      kinds.append(h("option", { value: what }, what));
    }
    if (due || host.hidden) return;
    due = setTimeout(() => {
      due = 0;
      draw();
    }, EVERY);
  });
  store.on("hello", draw);
  new MutationObserver(() => !host.hidden && draw()).observe(host, { attributes: true, attributeFilter: ["hidden"] });
  draw();
}
