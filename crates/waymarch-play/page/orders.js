// Orders to the selected units. Adding one is an entry: a name, a key, and what happens when it is chosen or aimed.

/**
 * @import {Ink} from "./ink.js"
 * @import {Store} from "./store.js"
 */

/**
 * @typedef {object} Order
 * @property {string} name
 * @property {string} label
 * @property {string} key  letter, as shown
 * @property {string} hint
 * @property {"now" | "place" | "unit" | "target"} aim  at once, or after pressing a place, a unit, or any of units, buildings and places
 * @property {"go" | "with" | "around"} part  which row it is in
 * @property {boolean} [turns]  dragging while aiming says which way they look, or line up
 * @property {boolean} [asks]  it is a message of its own, not an order to be queued
 */

/** @type {Order[]} */
export const ORDERS = [
  { name: "move", label: "Move", key: "G", aim: "place", part: "go", turns: true,
    hint: "Go to a place; right-click does the same. Drag to say which way they look there." },
  { name: "attack", label: "Attack-move", key: "A", aim: "place", part: "go",
    hint: "Go to a place and report every unit of another player that comes in sight; what then happens is the game's business." },
  { name: "patrol", label: "Patrol", key: "P", aim: "place", part: "go", hint: "Go back and forth; hold shift for more stops." },
  { name: "scatter", label: "Scatter", key: "X", aim: "now", part: "go", hint: "Go away from each other." },
  { name: "engage", label: "Halt", key: "Z", aim: "now", part: "go", asks: true,
    hint: "Halt where they are and keep their orders, as in a fight." },
  { name: "resume", label: "Go on", key: "C", aim: "now", part: "go", asks: true, hint: "Go on after a halt." },
  { name: "stop", label: "Stop", key: "S", aim: "now", part: "go", hint: "Drop all orders." },
  { name: "hold", label: "Hold", key: "H", aim: "now", part: "go", hint: "Stand and give way to nobody." },
  { name: "follow", label: "Follow", key: "F", aim: "unit", part: "with",
    hint: "Stay near another unit; right-click on it does the same." },
  { name: "follow-group", label: "Follow group", key: "L", aim: "unit", part: "with",
    hint: "Stay near all who have the same order as a unit, whoever of them is left." },
  { name: "join", label: "Join", key: "J", aim: "unit", part: "with", asks: true,
    hint: "Do what another unit does, as one group with it; press one of the selected to make them all one group." },
  { name: "split", label: "Split off", key: "Y", aim: "now", part: "with", asks: true,
    hint: "Leave their groups and go on as a group of their own." },
  { name: "guard", label: "Guard", key: "K", aim: "target", part: "around",
    hint: "Stay near a unit, a building or a place, and come back to it." },
  { name: "range", label: "In range", key: "R", aim: "target", part: "around",
    hint: "Stand in range of a unit, a building or a place, on the side they come from." },
  { name: "surround", label: "Surround", key: "O", aim: "target", part: "around",
    hint: "Stand all around a unit, a building or a place." },
  { name: "park", label: "Park", key: "B", aim: "target", part: "around",
    hint: "Stand beside a unit, a building or a place, on the side they come from." },
  { name: "dock", label: "Dock", key: "N", aim: "target", part: "around", turns: true,
    hint: "One goes to a building or a place, the others line up; drag to say where." },
];

/** Rows of orders, and what they are called. @type {[Order["part"], string][]} */
export const PARTS = [["go", "Orders"], ["with", "Orders with others"], ["around", "Orders around something"]];

/**
 * How groups stand where they are sent, the key of each, and a picture of it: places of dots in a square of 20.
 * @type {{name: string, label: string, key: string, dots: [number, number][]}[]}
 */
export const FORMATIONS = [
  { name: "adaptive", label: "Adaptive", key: "Alt+1", dots: [[10, 4], [5, 8], [15, 8], [10, 11], [6, 15], [14, 15]] },
  { name: "relative", label: "Relative", key: "Alt+2", dots: [[4, 5], [9, 3], [15, 7], [6, 12], [12, 14], [17, 16]] },
  { name: "box", label: "Box", key: "Alt+3",
    dots: [[5, 5], [10, 5], [15, 5], [5, 10], [10, 10], [15, 10], [5, 15], [10, 15], [15, 15]] },
  { name: "line", label: "Line", key: "Alt+4", dots: [[2, 10], [6, 10], [10, 10], [14, 10], [18, 10]] },
  { name: "column", label: "Column", key: "Alt+5", dots: [[10, 2], [10, 6], [10, 10], [10, 14], [10, 18]] },
  { name: "wedge", label: "Wedge", key: "Alt+6", dots: [[10, 4], [7, 9], [13, 9], [4, 14], [10, 14], [16, 14]] },
  { name: "circle", label: "Circle", key: "Alt+7",
    dots: [[10, 3], [15, 5], [17, 10], [15, 15], [10, 17], [5, 15], [3, 10], [5, 5]] },
  { name: "scatter", label: "Scatter", key: "Alt+8", dots: [[3, 4], [12, 2], [18, 8], [7, 10], [14, 16], [3, 17]] },
  { name: "hex", label: "Hex", key: "Alt+9",
    dots: [[7.5, 5.500], [12.5, 5.500], [5, 10], [10, 10], [15, 10], [7.5, 14.5], [12.5, 14.5]] },
];

/** Units in one message at most: hosts take 64 KiB. */
const PORTION = 6000;

/** @param {Set<number>} selected */
function portions(selected) {
  const all = [...selected];
  return Array.from({ length: Math.ceil(all.length / PORTION) }, (_, i) => all.slice(i * PORTION, (i + 1) * PORTION));
}

export class Orders {
  /** @param {Store} store @param {Ink} ink */
  constructor(store, ink) {
    this.store = store;
    this.ink = ink;
    /** What the next press of the pointer aims. @type {Order | null} */ this.aiming = null;
    store.on("selection tool", () => {
      if (!store.selected.size || store.tool !== "select") this.cancel();
    });
  }

  /** @param {string} name */
  choose(name) {
    const order = ORDERS.find((candidate) => candidate.name === name);
    if (!order || !this.store.selected.size || !this.store.source?.canCommand) return;
    if (order.aim === "now") {
      this.cancel();
      if (order.asks) this.tell({ do: name });
      else this.give({ order: name });
      return;
    }
    this.store.setTool("select");
    this.aiming = order;
    this.store.say("aiming");
  }

  cancel() {
    if (!this.aiming && !this.ink.stops.length) return false;
    this.aiming = null;
    this.ink.stops = [];
    this.ink.dirty = true;
    this.store.say("aiming");
    return true;
  }

  /** @param {object} order @param {boolean} [queue] */
  give(order, queue = false) {
    this.tell({ do: "order", queue, ...order });
  }

  /** Says something about the selected units. @param {object} message */
  tell(message) {
    for (const units of portions(this.store.selected)) this.store.send({ ...message, units });
  }

  /** Whether a drag with the order's button says which way to look. */
  get turns() {
    return this.store.selected.size > 0 && (this.aiming ?? ORDERS[0]).turns === true;
  }

  /**
   * How groups stand from now on, those of the selected units that are on their way included. The one that is chosen already is let
   * go of: then the settings decide.
   * @param {string} name
   */
  form(name) {
    const { store } = this;
    if (!store.source?.canCommand || !store.hello?.formations?.includes(name)) return;
    const chosen = store.formation === name ? "" : name;
    store.setFormation(chosen);
    if (!chosen) return;
    this.tell({ do: "form", formation: chosen });
  }

  /** The next formation, or the one before. @param {1 | -1} by */
  formNext(by) {
    const at = FORMATIONS.findIndex(({ name }) => name === this.store.formation);
    const from = at < 0 && by < 0 ? 0 : at;
    this.form(FORMATIONS[(from + by + FORMATIONS.length) % FORMATIONS.length].name);
  }

  /** Takes the selected units out of the world. */
  remove() {
    this.tell({ do: "remove" });
  }

  /**
   * The place or unit for the order that is aimed, or for a plain move. `facing`: which way they are to look, if that was said.
   * @param {{x: number, y: number, unit: number, shift: boolean, facing?: number}} at
   */
  aim({ x, y, unit, shift, facing }) {
    const ground = this.store.ground;
    const { selected } = this.store;
    if (!ground || !selected.size || !this.store.source?.canCommand) return;
    const cx = Math.min(ground.w - 1, Math.max(0, Math.floor(x)));
    const cy = Math.min(ground.h - 1, Math.max(0, Math.floor(y)));
    const plain = unit >= 0 && !selected.has(unit) && facing === undefined ? "follow" : "move";
    const order = this.aiming ?? /** @type {Order} */ (ORDERS.find(({ name }) => name === plain));
    const { name } = order;
    if (order.aim === "unit" && unit < 0) return this.store.toast(`${order.label}: press a unit`);
    if (name === "join") this.tell({ do: "join", with: unit });
    else if (order.aim === "unit") this.give({ order: name, target: unit }, shift);
    else if (name === "patrol") {
      this.ink.stops.push([cx, cy]);
      this.ink.dirty = true;
      if (shift) return;
      this.give({ order: "patrol", stops: this.ink.stops });
    } else if (order.aim === "target") {
      // Who is sent to itself means the place.
      const other = unit >= 0 && name !== "dock" && !(selected.size === 1 && selected.has(unit));
      this.give({ order: name, facing, ...(other ? { target: unit } : { x: cx, y: cy }) }, shift);
    } else {
      const formation = (name === "move" && this.store.formation) || undefined;
      this.give({ order: name, x: cx, y: cy, formation, facing }, shift);
    }
    this.ink.flash(x, y, name === "move" ? "#5dffb0" : name === "attack" ? "#ff5c7a" : "#ffc857");
    if (!shift || order.aim !== "place") this.cancel();
  }
}
