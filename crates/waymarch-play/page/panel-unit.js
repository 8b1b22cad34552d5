// The unit page: everything the engine knows about one unit; for several units, a summary.

import { button, h } from "./dom.js";

/** @import {PageBuilder} from "./panel.js" */

const STANCES = ["idle", "moving", "holding"];

/** @type {PageBuilder} */
export function unitPage(host, store, view) {
  let asked = -1;
  const first = () => store.selected.values().next().value ?? -1;

  const ask = () => {
    const unit = first();
    if (unit !== asked) {
      asked = unit;
      store.details = null;
      store.send({ do: "unit", unit: unit < 0 ? null : unit });
    }
    draw();
  };
  const facts = (rows) => h("dl", { class: "facts" },
    rows.flatMap(([name, text]) => [h("dt", {}, name), h("dd", {}, text)]));

  const counts = () => {
    const { stage, hello } = store;
    const frame = stage.frame;
    if (!frame) return [];
    const kinds = new Map();
    const stances = [0, 0, 0];
    let stuck = 0;
    for (const id of store.selected) {
      const i = stage.indexOf(id);
      if (i < 0) continue;
      const name = hello?.types[frame.kind[i]]?.name ?? "?";
      kinds.set(name, (kinds.get(name) ?? 0) + 1);
      stances[frame.state[i] & 3]++;
      if ((frame.state[i] >> 4) & 3) stuck++;
    }
    return [...kinds.entries(), ...STANCES.map((name, i) => [name, stances[i]]),
      ["stuck", stuck]].map(([name, n]) => [name, String(n)]);
  };

  const find = button({
    icon: "fit", label: "Show on the map", text: "Show on the map", class: "solid",
    onclick: () => {
      const i = store.stage.indexOf(first());
      if (i < 0) return;
      view.camera.scale = Math.max(view.camera.scale, 16);
      view.camera.goTo(...store.stage.at(i, 1));
    },
  });

  /** The content of the page: titles and rows. @returns {{title: string, rows: string[][]}[]} */
  const content = (unit) => {
    const parts = [];
    if (store.selected.size > 1) parts.push({ title: `${store.selected.size} units`, rows: counts() });
    const { details } = store;
    const known = details && details.unit === unit;
    if (!known) return [...parts, { title: `Unit ${unit}`, rows: ofFrame(unit) }];
    if (details.gone) return [...parts, { title: `Unit ${unit} no longer exists`, rows: [] }];
    return [...parts, { title: `Unit ${unit}`, rows: [] }, ...details.sections];
  };

  let shape = "";
  const draw = () => {
    const unit = first();
    if (unit < 0) {
      shape = "";
      return host.replaceChildren(h("div", { class: "empty" }, store.source?.canCommand
        ? "Press a unit to see everything the engine knows about it: its route, its planner and why it was chosen, its group, whether it is stuck."
        : "Press a unit to see its position and state."));
    }
    const parts = content(unit);
    const now = JSON.stringify(parts.map(({ title, rows }) => [title, rows.map(([name]) => name)]));
    if (now === shape) {
      // The same rows as before: only changed texts are written, so that focus, scroll position and selected text stay.
      const texts = parts.flatMap(({ rows }) => rows.map(([, text]) => text));
      host.querySelectorAll("dd").forEach((cell, i) => {
        if (cell.textContent !== texts[i]) cell.textContent = texts[i];
      });
      return;
    }
    shape = now;
    host.replaceChildren(...parts.flatMap(({ title, rows }) => [
      /^Unit \d+$/.test(title) ? h("p", { class: "subject" }, title, find) : h("h2", {}, title),
      facts(rows),
    ]));
  };

  const ofFrame = (unit) => {
    const { stage, hello } = store;
    const i = stage.indexOf(unit);
    const frame = stage.frame;
    if (i < 0 || !frame) return [];
    return [
      ["kind", hello?.types[frame.kind[i]]?.name ?? "?"],
      ["player", String(frame.owner[i] + 1)],
      ["position", `${frame.x[i].toFixed(2)}, ${frame.y[i].toFixed(2)}`],
      ["stance", STANCES[frame.state[i] & 3] ?? "?"],
      ["stuck ladder", ["not stuck", "around all units", "around standing units", "to the nearest place"][(frame.state[i] >> 4) & 3]],
      ["order number", frame.group[i] ? String(frame.group[i]) : "none"],
    ];
  };

  store.on("selection", ask);
  store.on("details", draw);
  store.on("hello", () => {
    asked = -1;
    ask();
  });
  let due = 0;
  store.on("frame", () => {
    // Data from frames is written at most twice per second.
    if (due || host.hidden || !store.selected.size || store.details) return;
    due = setTimeout(() => {
      due = 0;
      draw();
    }, 500);
  });
  draw();
}
