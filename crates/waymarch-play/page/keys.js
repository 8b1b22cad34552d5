// Keyboard: which key does what, and the help text.

import { isTyping } from "./dom.js";
import { FORMATIONS, ORDERS } from "./orders.js";
import { TOOLS, toolNamed } from "./tools.js";

/**
 * @import {Orders} from "./orders.js"
 * @import {Store} from "./store.js"
 * @import {MapView} from "./map-view.js"
 */

/** Speeds in per cent. */
export const SPEEDS = [25, 50, 100, 200, 400, 800, 1600];

/** Enter acts like a press in the middle of the view, for users without a pointer. @param {Store} store @param {MapView} view @param {Orders} orders */
function atMiddle(store, view, orders) {
  const { x, y } = view.camera;
  const tool = toolNamed(store.tool);
  if (!store.source?.canCommand) return;
  if (tool.sends) store.send(tool.sends(store, Math.floor(x), Math.floor(y)));
  else orders.aim({ x, y, unit: store.stage.pick(x, y, 0.8, performance.now()), shift: false });
}

/**
 * @param {Store} store @param {MapView} view @param {Orders} orders
 * @param {{help: () => void, panel: () => void}} page
 */
export function listenToKeys(store, view, orders, page) {
  const faster = (by) => {
    const at = SPEEDS.findIndex((speed) => speed >= store.time.speed);
    const next = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, (at < 0 ? SPEEDS.length - 1 : at) + by))];
    store.send({ do: "time", speed: next });
  };
  /** @type {Record<string, () => void>} */
  const actions = {
    " ": () => store.send({ do: "time", set: store.time.playing ? "pause" : "play" }),
    ".": () => store.send({ do: "time", set: "step" }),
    "+": () => faster(1),
    "=": () => faster(1),
    "-": () => faster(-1),
    "?": page.help,
    "\\": page.panel,
    home: () => view.camera.fit(),
    escape: () => orders.cancel() || (store.tool !== "select" ? store.setTool("select") : store.select([])),
    enter: () => atMiddle(store, view, orders),
    delete: () => store.source?.canCommand && orders.remove(),
    q: () => orders.formNext(-1),
    e: () => orders.formNext(1),
    "[": () => store.setBrush({ size: Math.max(1, store.brush.size - 1) }),
    "]": () => store.setBrush({ size: Math.min(store.hello?.limits?.brush ?? 64, store.brush.size + 1) }),
  };
  for (const order of ORDERS) actions[order.key.toLowerCase()] = () => orders.choose(order.name);
  for (const tool of TOOLS.slice(0, 2)) actions[tool.key.toLowerCase()] = () => store.setTool(tool.name);

  /** Keys that move the view, with their directions. */
  const directions = { arrowleft: [-1, 0], arrowright: [1, 0], arrowup: [0, -1], arrowdown: [0, 1] };
  /** @type {Set<string>} */ const held = new Set();
  const glide = () => {
    view.glide = { x: 0, y: 0 };
    for (const key of held) {
      view.glide.x += directions[key][0];
      view.glide.y += directions[key][1];
    }
  };

  /**
   * Ctrl with a digit stores the selection, the digit alone selects it, shift adds it. A digit without a stored selection is a tool's key.
   */
  const digit = (event, n) => {
    if (event.ctrlKey || event.metaKey) {
      if (store.selected.size) store.ctrlGroups.set(n, [...store.selected]);
      else store.ctrlGroups.delete(n);
      store.toast(store.selected.size ? `Group ${n}: ${store.selected.size} units` : `Group ${n} is empty now`);
      store.say("groups");
      return true;
    }
    if (event.altKey) {
      const formation = FORMATIONS[Number(n) - 1];
      if (!formation || !store.hello?.formations) return false;
      orders.form(formation.name);
      return true;
    }
    const kept = store.ctrlGroups.get(n);
    if (kept) store.select(kept.filter((id) => store.stage.indexOf(id) >= 0), event.shiftKey ? "add" : "replace");
    else {
      const tool = TOOLS.find((candidate) => candidate.key === n);
      if (!tool || !store.source?.canCommand) return false;
      store.setTool(tool.name);
    }
    return true;
  };

  giveFocusBack(view.host);
  showAim(view.host);
  addEventListener("keydown", (event) => {
    if (isTyping(event.target) || document.querySelector("dialog[open]")) return;
    const key = event.key.toLowerCase();
    // A focused control keeps the keys that operate it.
    const onControl = event.target instanceof Element && event.target.closest("button, a, input, summary, [role=tab]");
    if (onControl && [" ", "enter", "arrowleft", "arrowright", "arrowup", "arrowdown", "home"].includes(key)) return;
    const number = /^Digit([1-9])$/.exec(event.code)?.[1];
    if (number && digit(event, number)) return event.preventDefault();
    if ((event.ctrlKey || event.metaKey) && key === "a") {
      const { x0, y0, x1, y1 } = view.camera.seen;
      store.select(store.stage.inside(x0, y0, x1, y1, performance.now()));
      return event.preventDefault();
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (key in directions) {
      held.add(key);
      glide();
      return event.preventDefault();
    }
    if (actions[key] && !(event.repeat && key !== "." && key !== "[" && key !== "]")) {
      actions[key]();
      event.preventDefault();
    }
  });
  addEventListener("keyup", (event) => {
    held.delete(event.key.toLowerCase());
    glide();
  });
  addEventListener("blur", () => {
    held.clear();
    glide();
  });
}

/**
 * A control that was used with the pointer gives the focus back to the map, so that Space and Enter do not use it again.
 * Text fields keep the focus, and so does every control that is used with the keyboard.
 * @param {HTMLElement} host
 */
function giveFocusBack(host) {
  let pointer = false;
  /** Whether the pointer opened the dialog. */
  let opened = false;
  addEventListener("pointerdown", () => (pointer = true), true);
  addEventListener("keydown", () => (pointer = false), true);
  const back = (event) => {
    const control = event.target instanceof Element && event.target.closest("button, a, input, select, summary");
    // A list is still open at a click; it tells the choice with `change`.
    const open = event.type === "click" && control instanceof HTMLSelectElement;
    const text = control instanceof HTMLInputElement && isTyping(control);
    const dialog = document.querySelector("dialog[open]");
    if (dialog && !dialog.contains(control)) opened = pointer;
    if (pointer && control && !open && !text && !dialog) host.focus({ preventScroll: true });
  };
  addEventListener("click", back);
  addEventListener("change", back);
  // A dialog that closes gives the focus to the button that opened it.
  addEventListener("close", () => opened && host.focus({ preventScroll: true }), true);
}

/**
 * Marks whether the map is used with keys: then a cross shows the middle of the view, where Enter gives orders and draws. A pointer needs no cross.
 * @param {HTMLElement} host
 */
function showAim(host) {
  addEventListener("keydown", (event) => {
    if (["Tab", "Enter"].includes(event.key) || event.key.startsWith("Arrow")) host.dataset.by = "keys";
  }, true);
  for (const kind of ["pointermove", "pointerdown"]) addEventListener(kind, () => (host.dataset.by = "pointer"), true);
}

/** @param {string} part @returns {[string, string][]} */
const keysOf = (part) => ORDERS.filter((order) => order.part === part).map(({ key, label }) => [key, label.toLowerCase()]);

/** The help text by topic. @type {[string, [string, string][]][]} */
export const HELP = [
  ["View", [["wheel, pinch", "zoom"], ["middle drag", "move the view"],
    ["arrows", "move the view"], ["Home", "show the whole map"],
    ["\\", "show or hide the panel"]]],
  ["Select", [["drag", "select in a box"], ["shift", "add or remove"], ["double-click", "all units of a kind in view"],
    ["Ctrl+A", "all units in view"], ["Ctrl+1…9", "store the selection"], ["1…9", "select it again"], ["Esc", "cancel, deselect"]]],
  ["Order", [["right-click", "move; on a unit, follow"], ["right-drag", "move and face in the direction of the drag"], ["shift", "queue the order"],
    ["Enter", "order to the middle of the view"], ...keysOf("go"), ["Delete", "remove the units"]]],
  ["Group", [...keysOf("with"), ...keysOf("around")]],
  ["Formation", [...FORMATIONS.map((shape) => /** @type {[string, string]} */ ([shape.key, shape.label.toLowerCase()])),
    ["Q E", "previous, next formation"]]],
  ["Draw", [...TOOLS.map((tool) => /** @type {[string, string]} */ ([tool.key, tool.label.toLowerCase()])),
    ["[ ]", "smaller, larger brush"]]],
  ["Time", [["Space", "play or pause"], [".", "one tick"], ["− +", "slower, faster"]]],
  ["Touch", [["tap", "select; on the ground, move there"], ["drag", "move the view"], ["hold, then drag", "select in a box"],
    ["two fingers", "zoom"]]],
];
