// Orders to the selected units. To add an order, add an entry to ORDERS.

/**
 * @import {AnnotationLayer} from "./annotation-layer.js"
 * @import {Store} from "./store.js"
 */

/**
 * @typedef {object} Order
 * @property {string} name
 * @property {string} label
 * @property {string} key  the letter, as shown
 * @property {string} hint
 * @property {"now" | "place" | "unit" | "target"} aim  at once, or after a press on a cell, a unit, or any target (unit, building or cell)
 * @property {"go" | "with" | "around"} part  the row of its button
 * @property {boolean} [turns]  a drag sets the facing of the units, or the direction of the queue
 * @property {boolean} [asks]  sent as a message of its own, which cannot be queued
 */

/** @type {Order[]} */
export const ORDERS = [
  { name: "move", label: "Move", key: "G", aim: "place", part: "go", turns: true,
    hint: "Go to a cell; a right-click does the same. Drag to set the facing there." },
  { name: "attack", label: "Attack-move", key: "A", aim: "place", part: "go",
    hint: "Go to a cell and report every unit of another player that comes into sight. Fighting is up to the game." },
  { name: "patrol", label: "Patrol", key: "P", aim: "place", part: "go", hint: "Go back and forth between stops; hold shift to add stops." },
  { name: "scatter", label: "Scatter", key: "X", aim: "now", part: "go", hint: "Move apart." },
  { name: "engage", label: "Halt", key: "Z", aim: "now", part: "go", asks: true,
    hint: "Halt and keep all orders, as in a fight." },
  { name: "resume", label: "Resume", key: "C", aim: "now", part: "go", asks: true, hint: "Continue after a halt." },
  { name: "stop", label: "Stop", key: "S", aim: "now", part: "go", hint: "Stop and drop all orders." },
  { name: "hold", label: "Hold", key: "H", aim: "now", part: "go", hint: "Stand and do not step aside for others." },
  { name: "follow", label: "Follow", key: "F", aim: "unit", part: "with",
    hint: "Stay near another unit; a right-click on it does the same." },
  { name: "follow-group", label: "Follow group", key: "L", aim: "unit", part: "with",
    hint: "Stay near all units that have the same order as the target unit." },
  { name: "join", label: "Join", key: "J", aim: "unit", part: "with", asks: true,
    hint: "Take over the orders of another unit, in its group. Press a selected unit to make one group of all." },
  { name: "split", label: "Split off", key: "Y", aim: "now", part: "with", asks: true,
    hint: "Leave the present groups and continue as a new group." },
  { name: "guard", label: "Guard", key: "K", aim: "target", part: "around",
    hint: "Stay near a unit, a building or a cell, and return to it." },
  { name: "range", label: "In range", key: "R", aim: "target", part: "around",
    hint: "Stand in range of a unit, a building or a cell, on the side of approach." },
  { name: "surround", label: "Surround", key: "O", aim: "target", part: "around",
    hint: "Stand all around a unit, a building or a cell." },
  { name: "park", label: "Park", key: "B", aim: "target", part: "around",
    hint: "Stand beside a unit, a building or a cell, on the side of approach." },
  { name: "dock", label: "Dock", key: "N", aim: "target", part: "around", turns: true,
    hint: "One unit goes to a building or a cell, the others queue; drag to set the direction of the queue." },
];

/** Rows of orders with their labels. @type {[Order["part"], string][]} */
export const PARTS = [["go", "Orders"], ["with", "Orders with other units"], ["around", "Orders around a target"]];

/**
 * The formations of groups: name, label, key, and an icon as dots in a 20×20 square.
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

/** At most 6000 units in one message: a server accepts 64 KiB. */
const PORTION = 6000;

/** @param {Set<number>} selected */
function portions(selected) {
  const all = [...selected];
  return Array.from({ length: Math.ceil(all.length / PORTION) }, (_, i) => all.slice(i * PORTION, (i + 1) * PORTION));
}

export class Orders {
  /** @param {Store} store @param {AnnotationLayer} ink */
  constructor(store, ink) {
    this.store = store;
    this.ink = ink;
    /** The order that the next press gives. @type {Order | null} */ this.aiming = null;
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

  /** Sends a message about the selected units. @param {object} message */
  tell(message) {
    for (const units of portions(this.store.selected)) this.store.send({ ...message, units });
  }

  /** Whether a drag with the order button sets a facing. */
  get turns() {
    return this.store.selected.size > 0 && (this.aiming ?? ORDERS[0]).turns === true;
  }

  /**
   * Sets the formation of groups from now on, including selected units that are moving. Choosing the present formation again
   * clears it: then the settings decide.
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

  /** Chooses the next or the previous formation. @param {1 | -1} by */
  formNext(by) {
    const at = FORMATIONS.findIndex(({ name }) => name === this.store.formation);
    const from = at < 0 && by < 0 ? 0 : at;
    this.form(FORMATIONS[(from + by + FORMATIONS.length) % FORMATIONS.length].name);
  }

  /** Removes the selected units. */
  remove() {
    this.tell({ do: "remove" });
  }

  /**
   * Gives the order that waits for a target, or a plain move. `facing`: the facing at the goal, if one was set.
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
    if (order.aim === "unit" && unit < 0) return this.store.toast(`${order.label}: press a unit to choose the target`);
    if (name === "join") this.tell({ do: "join", with: unit });
    else if (order.aim === "unit") this.give({ order: name, target: unit }, shift);
    else if (name === "patrol") {
      this.ink.stops.push([cx, cy]);
      this.ink.dirty = true;
      if (shift) return;
      this.give({ order: "patrol", stops: this.ink.stops });
    } else if (order.aim === "target") {
      // A single selected unit as its own target means its cell.
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
