// A mock world for work on the page without a server. It contains nothing of the engine: units walk down a plain
// breadth-first field and push each other apart.

import { slots } from "./mock-formations.js";

const SPEED = 0.16;
/** Within 9 cells units go straight to their slots. */
const NEAR = 9;
const STEPS = [[0, -1], [1, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1]];

/** A small generator that gives the same numbers for a seed. @param {number} seed */
export function dice(seed) {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

export class MockWorld {
  /** @param {number} w @param {number} h @param {number} seed */
  constructor(w, h, seed) {
    this.w = w;
    this.h = h;
    this.tick = 0;
    this.terrain = new Uint8Array(w * h);
    this.built = new Uint8Array(w * h);
    this.threat = new Uint8Array(w * h);
    /**
     * @type {{id: number, x: number, y: number, facing: number, owner: number, kind: number, goal: number, field: any,
     *   group: number, slow: number, hold: boolean, queue: any[], slot: [number, number] | null}[]}
     */
    this.units = [];
    this.nextId = 1;
    this.nextGroup = 1;
    this.random = dice(seed);
    /** @type {Map<number, Int32Array>} */ this.fields = new Map();
    this.paint(seed);
  }

  /** Hills, forest, a river with fords, some walls. @param {number} seed */
  paint(seed) {
    const { w, h } = this;
    const wave = (x, y, k) =>
      Math.sin(x * 0.07 * k + seed) + Math.sin(y * 0.09 * k + seed * 2) + Math.sin((x + y) * 0.05 * k + seed * 3);
    for (let y = 0; y < h; y++) {
      for (let x = 0; x < w; x++) {
        const at = y * w + x;
        const n = wave(x, y, 1) + 0.5 * wave(y, x, 2.3);
        this.terrain[at] = n > 2.4 ? 4 : n > 1.5 ? 2 : n < -2.1 ? 1 : 0;
        const river = w * 0.52 + Math.sin(y * 0.11 + seed) * 7;
        if (Math.abs(x - river) < 2.4) this.terrain[at] = 3;
        if (Math.abs(x - river) < 2.8 && (Math.abs(y - h * 0.25) < 2 || Math.abs(y - h * 0.7) < 2)) {
          this.terrain[at] = 5;
          this.built[at] = 6;
        }
      }
    }
    for (let i = 0; i < 5; i++) {
      this.stamp(Math.floor(w * (0.12 + 0.17 * i)), Math.floor(h * (0.2 + 0.6 * this.random())), 3 + (i % 3), 3);
    }
    const column = Math.floor(w * 0.3);
    for (let y = Math.floor(h * 0.35); y < h * 0.65; y++) this.built[y * w + column] = y % 11 === 5 ? 4 : 5;
  }

  stamp(x, y, w, h) {
    for (let j = y; j < Math.min(this.h, y + h); j++) this.built.fill(1, j * this.w + x,
      j * this.w + Math.min(this.w, x + w));
  }

  open(at) {
    const built = this.built[at];
    if (built === 1 || built === 3 || built === 5) return false;
    return built === 6 || (this.terrain[at] !== 3 && this.terrain[at] !== 4);
  }

  changed() {
    this.fields.clear();
    for (const unit of this.units) if (unit.goal >= 0) unit.field = this.field(unit.goal);
  }

  spawn(count, x, y, owner, kind) {
    const spots = [];
    const seen = new Uint8Array(this.w * this.h);
    const queue = [y * this.w + x];
    seen[queue[0]] = 1;
    for (let i = 0; i < queue.length && spots.length < count; i++) {
      const at = queue[i];
      if (this.open(at)) spots.push(at);
      for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
        const nx = (at % this.w) + dx;
        const ny = Math.floor(at / this.w) + dy;
        if (nx < 0 || ny < 0 || nx >= this.w || ny >= this.h || seen[ny * this.w + nx]) continue;
        seen[ny * this.w + nx] = 1;
        queue.push(ny * this.w + nx);
      }
    }
    for (const at of spots) {
      this.units.push({
        id: this.nextId++, x: (at % this.w) + 0.5, y: Math.floor(at / this.w) + 0.5, facing: this.random() * 6.28,
        owner, kind,
        goal: -1, field: null, group: 0, slow: 0, hold: false, queue: [], slot: null,
      });
    }
    return spots.length;
  }

  /** Steps to a cell from all cells; -1 where there is no route. @param {number} goal */
  field(goal) {
    let field = this.fields.get(goal);
    if (field) return field;
    field = new Int32Array(this.w * this.h).fill(-1);
    const queue = [goal];
    field[goal] = 0;
    for (let i = 0; i < queue.length; i++) {
      const at = queue[i];
      const x = at % this.w;
      const y = Math.floor(at / this.w);
      for (const [dx, dy] of STEPS) {
        const nx = x + dx;
        const ny = y + dy;
        if (nx < 0 || ny < 0 || nx >= this.w || ny >= this.h) continue;
        const to = ny * this.w + nx;
        if (field[to] >= 0 || !this.open(to)) continue;
        if (dx && dy && !(this.open(y * this.w + nx) && this.open(ny * this.w + x))) continue;
        field[to] = field[at] + 1;
        queue.push(to);
      }
    }
    this.fields.set(goal, field);
    return field;
  }

  /** @param {number[]} ids @param {number} goal @param {boolean} queue @param {string} [shape] */
  order(ids, goal, queue, shape) {
    const chosen = new Set(ids);
    const group = this.nextGroup++;
    for (const unit of this.units) {
      if (!chosen.has(unit.id)) continue;
      if (queue && unit.goal >= 0) unit.queue.push(goal);
      else {
        const field = goal >= 0 ? this.field(goal) : null;
        Object.assign(unit, { goal, group, hold: false, queue: [], slow: 0, field, slot: null });
      }
    }
    if (shape && !queue) this.form(ids, shape);
  }

  /** Gives moving units a formation, grouped by order; returns how many. */
  form(ids, shape) {
    const chosen = new Set(ids);
    /** @type {Map<number, any[]>} */ const groups = new Map();
    for (const unit of this.units) {
      if (!chosen.has(unit.id) || unit.goal < 0) continue;
      if (!groups.has(unit.group)) groups.set(unit.group, []);
      groups.get(unit.group)?.push(unit);
    }
    let count = 0;
    for (const units of groups.values()) {
      const { goal } = units[0];
      const places = slots(shape, units, [(goal % this.w) + 0.5, Math.floor(goal / this.w) + 0.5]);
      units.forEach((unit, i) => (unit.slot = places[i]));
      count += units.length;
    }
    return count;
  }

  /** The step straight to a unit's slot if that is near, otherwise nothing. */
  toSlot(unit) {
    if (!unit.slot) return null;
    const [dx, dy] = [unit.slot[0] - unit.x, unit.slot[1] - unit.y];
    const far = Math.hypot(dx, dy);
    if (far > NEAR) return null;
    const part = Math.min(SPEED, far) / (far || 1);
    return { vx: dx * part, vy: dy * part, there: far < 0.25 };
  }

  /**
   * The direction to the goal from a cell: 0..7, 8 at the goal, 255 if there is none.
   * @param {Int32Array} field @param {number} at
   */
  direction(field, at) {
    if (field[at] === 0) return 8;
    let best = 255;
    let least = field[at] < 0 ? Infinity : field[at];
    const x = at % this.w;
    const y = Math.floor(at / this.w);
    for (const d of [0, 2, 4, 6, 1, 3, 5, 7]) {
      const nx = x + STEPS[d][0];
      const ny = y + STEPS[d][1];
      if (nx < 0 || ny < 0 || nx >= this.w || ny >= this.h) continue;
      const left = field[ny * this.w + nx];
      if (left < 0 || left >= least) continue;
      if (d & 1 && !(this.open(y * this.w + nx) && this.open(ny * this.w + x))) continue;
      least = left;
      best = d;
    }
    return best;
  }

  /** Runs one tick; returns the events. */
  step() {
    this.tick++;
    const events = [];
    const heads = new Int32Array(this.w * this.h).fill(-1);
    const next = new Int32Array(this.units.length);
    this.units.forEach((unit, i) => {
      const at = Math.floor(unit.y) * this.w + Math.floor(unit.x);
      next[i] = heads[at];
      heads[at] = i;
    });
    for (let i = 0; i < this.units.length; i++) {
      const unit = this.units[i];
      const at = Math.floor(unit.y) * this.w + Math.floor(unit.x);
      let [vx, vy] = [0, 0];
      if (unit.field) {
        const last = this.toSlot(unit);
        const direction = last ? (last.there ? 8 : 0) : this.direction(unit.field, at);
        if (last) [vx, vy] = [last.vx, last.vy];
        else if (direction < 8) {
          const far = Math.hypot(STEPS[direction][0], STEPS[direction][1]);
          vx = (STEPS[direction][0] / far) * SPEED;
          vy = (STEPS[direction][1] / far) * SPEED;
        } else if (direction === 255) {
          events.push({ unit: unit.id, what: "GaveUp", text: "gave up: no route leads there" });
          this.arrive(unit);
        }
        // Near the goal without progress: other units stand on it.
        const left = unit.field ? unit.field[at] : -1;
        if ((direction === 8 && (last || !unit.slot)) || (left >= 0 && left < 3 + Math.sqrt(this.units.length) / 3 && unit.slow > 12)) {
          events.push({ unit: unit.id, what: "Arrived", text: "arrived" });
          this.arrive(unit);
        }
      }
      if (!unit.hold) [vx, vy] = this.push(unit, i, at, heads, next, vx, vy);
      const [x0, y0] = [unit.x, unit.y];
      this.move(unit, vx, vy);
      const went = Math.hypot(unit.x - x0, unit.y - y0);
      unit.slow = unit.field && went < SPEED / 3 ? unit.slow + 1 : 0;
      if (went > 0.03) unit.facing = Math.atan2(unit.y - y0, unit.x - x0);
    }
    return events;
  }

  push(unit, i, at, heads, next, vx, vy) {
    for (const offset of [0, 1, -1, this.w, -this.w]) {
      for (let j = heads[at + offset] ?? -1; j >= 0; j = next[j]) {
        if (j === i) continue;
        const dx = unit.x - this.units[j].x;
        const dy = unit.y - this.units[j].y;
        const far = Math.hypot(dx, dy) || 0.01;
        if (far > 0.8) continue;
        const part = ((0.8 - far) / far) * 0.14;
        vx += dx * part;
        vy += dy * part;
      }
    }
    const speed = Math.hypot(vx, vy);
    return speed > SPEED * 1.2 ? [(vx / speed) * SPEED, (vy / speed) * SPEED] : [vx, vy];
  }

  move(unit, vx, vy) {
    const free = (x, y) => x >= 0 && y >= 0 && x < this.w && y < this.h
      && this.open(Math.floor(y) * this.w + Math.floor(x));
    if (free(unit.x + vx, unit.y)) unit.x += vx;
    if (free(unit.x, unit.y + vy)) unit.y += vy;
  }

  arrive(unit) {
    const goal = unit.queue.shift() ?? -1;
    const field = goal >= 0 ? this.field(goal) : null;
    Object.assign(unit, { goal, field, slow: 0, group: field ? unit.group : 0, slot: null });
  }

  /** Not the engine's hash, but it changes with everything that moves. */
  hash() {
    let n = 0x811c9dc5;
    for (const { x, y } of this.units) n = Math.imul(n ^ Math.round(x * 1024) ^ (Math.round(y * 1024) << 12), 16777619);
    return n >>> 0;
  }
}
