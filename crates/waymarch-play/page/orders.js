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

/** Shapes that groups will march in. They can be chosen once the host says so (`hello.formations`). */
export const FORMATIONS = [
  { name: "line", label: "Line", key: "Alt+1" },
  { name: "column", label: "Column", key: "Alt+2" },
  { name: "wedge", label: "Wedge", key: "Alt+3" },
  { name: "box", label: "Box", key: "Alt+4" },
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
    } else this.give({ order: "move", x: cx, y: cy }, shift);
    this.ink.flash(x, y, name === "move" ? "#5dffb0" : "#ffc857");
    if (!shift || name !== "move") this.cancel();
  }
}
