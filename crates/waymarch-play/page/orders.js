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
 * @property {"now" | "place" | "unit"} aim  at once, or after pressing a place or a unit
 */

/** @type {Order[]} */
export const ORDERS = [
  { name: "move", label: "Move", key: "G", aim: "place", hint: "Go to a place; right-click does the same." },
  { name: "patrol", label: "Patrol", key: "P", aim: "place", hint: "Go back and forth; hold shift for more stops." },
  { name: "follow", label: "Follow", key: "F", aim: "unit",
    hint: "Stay near another unit; right-click on it does the same." },
  { name: "stop", label: "Stop", key: "S", aim: "now", hint: "Drop all orders." },
  { name: "hold", label: "Hold", key: "H", aim: "now", hint: "Stand and give way to nobody." },
];

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
      this.give({ order: name });
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
    for (const units of portions(this.store.selected)) this.store.send({ do: "order", units, queue, ...order });
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
    for (const units of portions(store.selected)) store.send({ do: "form", units, formation: chosen });
  }

  /** The next formation, or the one before. @param {1 | -1} by */
  formNext(by) {
    const at = FORMATIONS.findIndex(({ name }) => name === this.store.formation);
    const from = at < 0 && by < 0 ? 0 : at;
    this.form(FORMATIONS[(from + by + FORMATIONS.length) % FORMATIONS.length].name);
  }

  /** Takes the selected units out of the world. */
  remove() {
    for (const units of portions(this.store.selected)) this.store.send({ do: "remove", units });
  }

  /**
   * The place or unit for the order that is aimed, or for a plain move.
   * @param {{x: number, y: number, unit: number, shift: boolean}} at
   */
  aim({ x, y, unit, shift }) {
    const ground = this.store.ground;
    if (!ground || !this.store.selected.size || !this.store.source?.canCommand) return;
    const cx = Math.min(ground.w - 1, Math.max(0, Math.floor(x)));
    const cy = Math.min(ground.h - 1, Math.max(0, Math.floor(y)));
    const name = this.aiming?.name ?? (unit >= 0 && !this.store.selected.has(unit) ? "follow" : "move");
    if (name === "follow") {
      if (unit < 0) return this.store.toast("Press the unit that is to be followed");
      this.give({ order: "follow", target: unit }, shift);
    } else if (name === "patrol") {
      this.ink.stops.push([cx, cy]);
      this.ink.dirty = true;
      if (shift) return;
      this.give({ order: "patrol", stops: this.ink.stops });
    } else {
      const formation = this.store.formation || undefined;
      this.give({ order: "move", x: cx, y: cy, formation }, shift);
    }
    this.ink.flash(x, y, name === "move" ? "#5dffb0" : "#ffc857");
    if (!shift || name !== "move") this.cancel();
  }
}
