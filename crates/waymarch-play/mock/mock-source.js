// A source with a mock world, for work on the page without the engine. It speaks PROTOCOL.md, bytes included, so that the page
// reads it like a server. `?units=2000` sets the number of units.

import { SHAPES } from "./mock-formations.js";
import { MockWorld } from "./mock-world.js";
import { receive } from "../page/protocol.js";

/** @import {Store} from "../page/store.js" */

const OVERLAYS = [
  ["cost", "Cost", 0, "", "Cost of crossing each cell for this kind of unit."],
  ["threat", "Threat", 0, "", "How much threat adds to the cost of each cell."],
  ["sectors", "Sectors", 1, "", "The squares that the map is divided into."],
  ["flow", "Flow arrows", 2, "unit", "The direction to the unit's goal from every cell."],
  ["integration", "Integration heat", 0, "unit", "Cost of the cheapest route to the unit's goal from every cell."],
  ["search", "Last search", 4, "unit", "The cells that the last search visited, in order."],
  ["routes", "Routes", 3, "", "The routes that units follow; dashed while they are temporary."],
  ["velocity", "Velocities", 3, "", "Preferred and actual velocity of each unit."],
  ["stuck", "Stuck units", 4, "", "Units that make no progress."],
  ["density", "Density", 0, "", "How many units are on each cell."],
  ["slots", "Formation slots", 3, "units", "Formation slots of the selected units' groups."],
];
const SETTINGS = [
  ["sector_size", "Grid", "Cells a side of a sector; a power of two.", "8..=128", "32"],
  ["corner_rule", "Grid", "Whether diagonal steps may pass the corners of obstacles.", "forbid | one | both", "forbid"],
  ["path_cache_size", "Routes", "Number of cached routes.", "0..=1048576", "4096"],
  ["jps_precomputed", "Routes", "Whether jump tables are precomputed.", "true or false", "true"],
  ["avoidance_strength", "Avoidance", "How hard units push each other away.", "0.0..=4.0", "1.0"],
];

export class MockSource {
  /** @param {Store} store @param {URLSearchParams} wishes */
  constructor(store, wishes) {
    this.kind = /** @type {const} */ ("mock");
    this.canCommand = true;
    this.store = store;
    this.wanted = Number(wishes.get("units") ?? 300);
    this.playing = true;
    this.speed = 100;
    /** @type {Map<string, any>} */ this.overlays = new Map();
    /** @type {Record<string, string>} */ this.settings = {};
    /** @type {any} */ this.kept = null;
    this.unit = -1;
    this.make(96, 60, 5, "valley");
  }

  make(w, h, seed, name) {
    this.name = name;
    this.world = new MockWorld(w, h, seed);
    const half = Math.ceil(this.wanted / 2);
    this.world.spawn(half, Math.floor(w * 0.12), Math.floor(h * 0.5), 0, 0);
    this.world.spawn(this.wanted - half, Math.floor(w * 0.88), Math.floor(h * 0.5), 1, 0);
    this.world.spawn(Math.ceil(this.wanted / 40), Math.floor(w * 0.2), Math.floor(h * 0.8), 2, 1);
    const goal = (x) => Math.floor(h * 0.5) * w + Math.floor(w * x);
    this.world.order(this.world.units.filter((u) => u.owner === 0).map((u) => u.id), goal(0.85), false);
    this.world.order(this.world.units.filter((u) => u.owner === 1).map((u) => u.id), goal(0.15), false);
  }

  start() {
    this.store.setLink("open");
    this.hello();
    setInterval(() => this.playing && this.tick(), 50);
    setInterval(() => this.look(), 200);
  }

  /** @param {object} message */
  say(message) {
    receive(this.store, JSON.stringify(message));
  }

  /** Every setting with its value. */
  every() {
    return SETTINGS.map(([key, section, about, range, value]) =>
      ({ key, section, about, range, value: this.settings[key] ?? value, default: value }));
  }

  config() {
    this.say({ is: "config", config: this.every() });
  }

  hello() {
    const { w, h } = this.world;
    this.say({
      is: "hello", version: 1, name: this.name,
      about: "A mock world without the engine, for work on the page.", width: w, height: h,
      ticks_per_second: 20, config: this.every(), scenario: this.name, maps: [],
      terrains: [["grass", "#7fa65a"], ["sand", "#d9c48c"], ["forest", "#4f7d47"], ["water", "#3f7fb5"],
        ["rock", "#77706a"], ["road", "#a8916c"]].map(([n, colour]) => ({ name: n, colour })),
      types: [{ name: "soldier", locomotor: "foot", size: 1, radius: 384, speed: 160 },
        { name: "tank", locomotor: "tracked", size: 2, radius: 780, speed: 160 }],
      stamps: [{ name: "house", width: 3, height: 3, cells: "#########" },
        { name: "hall", width: 5, height: 4, cells: "#".repeat(20) },
      { name: "gate", width: 1, height: 1, cells: "g" }],
      scenarios: [["valley", "Two armies change sides over two bridges."],
        ["plain", "Much room, few obstacles."]].map(([name, about]) => ({ name, about })),
      timings: [["cost", "Layer 1: costs"], ["sectors", "Layer 2: rooms and doors"],
        ["paths", "Layer 3: routes and flows"], ["move", "Units move"]].map(([name, about]) => ({ name, about })),
      overlays: OVERLAYS.map(([name, title, form, needs, about]) => ({ name, title, form, needs, about })),
      formations: SHAPES, limits: { units: 20000, spawn: 5000, brush: 64, upload: 16777216 },
    });
    this.tellTime();
    receive(this.store, this.map(0, 0, w, h, "WMM1"));
    this.frame(2);
  }

  tellTime() {
    const { playing, speed, world, kept } = this;
    this.say({ is: "time", playing, speed, tick: world.tick, snapshot: kept?.tick ?? null });
  }

  map(x, y, w, h, magic) {
    const head = magic === "WMM1" ? 16 : 24;
    const bytes = new Uint8Array(head + w * h * 2);
    const view = new DataView(bytes.buffer);
    bytes.set([...magic].map((c) => c.charCodeAt(0)));
    (magic === "WMM1" ? [1, w, h] : [1, x, y, w, h]).forEach((n, i) => view.setUint32(4 + i * 4, n, true));
    for (let j = 0; j < h; j++) {
      const at = (y + j) * this.world.w + x;
      bytes.set(this.world.terrain.subarray(at, at + w), head + j * w);
      bytes.set(this.world.built.subarray(at, at + w), head + w * h + j * w);
    }
    return bytes.buffer;
  }

  tick() {
    const before = performance.now();
    const events = [];
    for (let i = 0; i < Math.max(1, this.speed / 100); i++) events.push(...this.world.step());
    this.frame(0, (performance.now() - before) * 100);
    if (events.length) this.say({ is: "events", tick: this.world.tick, list: events.slice(0, 100),
      more: Math.max(0, events.length - 100) });
  }

  frame(flags, took = 0) {
    const { units } = this.world;
    const view = new DataView(new ArrayBuffer(48 + units.length * 20));
    [..."WMF1"].forEach((c, i) => view.setUint8(i, c.charCodeAt(0)));
    view.setUint32(4, flags | (this.playing ? 0 : 1), true);
    view.setUint32(8, this.world.tick, true);
    view.setUint32(16, this.world.hash(), true);
    view.setUint32(20, Math.imul(this.world.hash(), 2654435761) >>> 0, true);
    [0.04, 0.08, 0.38, 0.5].forEach((part, i) => view.setUint16(24 + i * 2, Math.min(65535, took * part), true));
    view.setUint16(40, this.speed, true);
    view.setUint32(44, units.length, true);
    units.forEach((unit, i) => {
      const at = 48 + i * 20;
      view.setUint32(at, unit.id, true);
      view.setInt32(at + 4, unit.x * 1024, true);
      view.setInt32(at + 8, unit.y * 1024, true);
      view.setUint16(at + 12, ((unit.facing / (Math.PI * 2)) * 65536) & 65535, true);
      view.setUint8(at + 14, (unit.hold ? 2 : unit.field ? 1 : 0) | (unit.slow > 30 ? 16 : 0));
      view.setUint8(at + 15, unit.owner);
      view.setUint16(at + 16, unit.group, true);
      view.setUint8(at + 18, unit.kind);
    });
    receive(this.store, view.buffer);
  }

  /** Overlays and details, a few times a second. */
  look() {
    for (const [name, ask] of this.overlays) {
      const bytes = this.overlay(name, ask);
      if (bytes) receive(this.store, bytes);
    }
    const unit = this.world.units.find((candidate) => candidate.id === this.unit);
    if (this.unit < 0) return;
    if (!unit) return this.say({ is: "unit", unit: this.unit, gone: true, sections: [] });
    this.say({
      is: "unit", unit: unit.id, tick: this.world.tick, gone: false, route: this.route(unit), temporary: false,
      goal: unit.goal < 0 ? null : [unit.goal % this.world.w, Math.floor(unit.goal / this.world.w)],
      sections: [
        { title: "Unit", rows: [["kind", unit.kind ? "tank" : "soldier"], ["player", String(unit.owner + 1)],
          ["place", `${unit.x.toFixed(2)}, ${unit.y.toFixed(2)}`],
        ["stance", unit.hold ? "holding" : unit.field ? "moving" : "idle"]] },
        { title: "Guidance", rows: [["planner", "breadth-first search (mock)"], ["why", "the mock world has no other planner"],
          ["remaining cost", unit.field ? String(unit.field[Math.floor(unit.y) * this.world.w + Math.floor(unit.x)])
          : "nothing"]] },
        { title: "Progress", rows: [["state", unit.field ? (unit.slow > 30 ? "blocked" : "moving") : "at rest"],
          ["rung", unit.slow > 30 ? "around all" : "not stuck"],
          ["no progress for", `${unit.slow} ticks`]] },
        { title: "Orders", rows: [["now", unit.goal < 0 ? "none" : "move"], ["queued", String(unit.queue.length)],
          ["order number", String(unit.group)]] },
        { title: "Group", rows: [["slot", unit.slot ? `${unit.slot.map((n) => n.toFixed(2)).join(", ")}` : "none"]] },
      ],
    });
  }

  route(unit) {
    const points = [];
    let at = Math.floor(unit.y) * this.world.w + Math.floor(unit.x);
    for (let i = 0; unit.field && i < 400; i++) {
      const direction = this.world.direction(unit.field, at);
      if (direction > 7) break;
      const { w } = this.world;
      at += [-w, 1 - w, 1, w + 1, w, w - 1, -1, -w - 1][direction];
      points.push([((at % this.world.w) + 0.5) * 1024, (Math.floor(at / this.world.w) + 0.5) * 1024]);
    }
    return points;
  }

  overlay(name, ask) {
    const { world } = this;
    const { w, h } = world;
    const index = OVERLAYS.findIndex(([n]) => n === name);
    const form = Number(OVERLAYS[index][2]);
    const unit = world.units.find((candidate) => candidate.id === ask.unit);
    const field = unit?.field;
    /** @type {Uint8Array | Uint16Array | Int32Array} */ let body;
    let [ow, oh, most] = [w, h, 1];
    const words = (f) => Uint16Array.from({ length: w * h }, (_, at) => f(at));
    if (name === "cost") {
      most = 5;
      body = words((at) => (world.open(at) ? [1, 2, 5, 0, 0, 1][world.terrain[at]] : 65535));
    } else if (name === "threat") {
      most = 254;
      body = words((at) => world.threat[at] || 65535);
    } else if (name === "sectors") {
      most = Math.ceil(w / 16) * Math.ceil(h / 16);
      body = words((at) => (at / w >> 4) * Math.ceil(w / 16) + (at % w >> 4));
    } else if (name === "density") {
      const counts = new Uint16Array(w * h);
      for (const { x, y } of world.units) counts[Math.floor(y) * w + Math.floor(x)]++;
      most = counts.reduce((a, b) => Math.max(a, b), 1);
      body = words((at) => counts[at] || 65535);
    } else if (name === "integration") {
      most = field ? field.reduce((a, b) => Math.max(a, b), 1) : 1;
      body = words((at) => (field && field[at] >= 0 ? field[at] : 65535));
    } else if (name === "flow") {
      body = Uint8Array.from({ length: w * h }, (_, at) => (field && field[at] >= 0 ? world.direction(field, at) : 255));
    } else {
      [ow, oh] = [0, 0];
      const lines = () => (name === "slots" ? this.slots(ask.units) : this.lines(name));
      body = new Int32Array(form === 4 ? this.marks(name, field) : lines());
    }
    const bytes = new Uint8Array(40 + body.byteLength);
    const view = new DataView(bytes.buffer);
    [..."WMO1"].forEach((c, i) => view.setUint8(i, c.charCodeAt(0)));
    [index, form, world.tick, 0, 0, 0, ow, oh, most].forEach((n, i) => view.setUint32(4 + i * 4, n, true));
    bytes.set(new Uint8Array(body.buffer), 40);
    return bytes.buffer;
  }

  marks(name, field) {
    const out = [0];
    const stuck = name === "stuck" ? this.world.units.filter((unit) => unit.slow > 30) : [];
    for (const { x, y } of stuck) out.push(Math.floor(x), Math.floor(y), 5);
    if (name === "search" && field) {
      const kind = (left) => (left === 0 ? 4 : left === 39 ? 0 : left % 9 === 0 ? 2 : 1);
      const near = [...field.keys()].filter((at) => field[at] >= 0 && field[at] < 40);
      near.sort((a, b) => field[a] - field[b]);
      for (const at of near) out.push(at % this.world.w, Math.floor(at / this.world.w), kind(field[at]));
    }
    out[0] = (out.length - 1) / 3;
    return out;
  }

  /** A line and a ring for each formation slot, of the given units or, if there are none, of all. */
  slots(ids) {
    const out = [0];
    const chosen = new Set(ids);
    for (const unit of this.world.units) {
      if (!unit.slot || (chosen.size && !chosen.has(unit.id))) continue;
      const [x, y] = unit.slot.map((n) => n * 1024);
      const ring = Array.from({ length: 9 }, (_, i) => [x + Math.cos(i * Math.PI / 4) * 384,
        y + Math.sin(i * Math.PI / 4) * 384]);
      out.push(7, 2, unit.x * 1024, unit.y * 1024, x, y, 8, 9, ...ring.flat());
      out[0] += 2;
    }
    return out;
  }

  lines(name) {
    const out = [0];
    for (const unit of this.world.units.slice(0, 400)) {
      if (!unit.field) continue;
      out[0]++;
      if (name === "routes") {
        const route = this.route(unit);
        out.push(0, route.length, ...route.flat());
      } else {
        const at = Math.floor(unit.y) * this.world.w + Math.floor(unit.x);
        const direction = this.world.direction(unit.field, at) & 7;
        const [x, y] = [unit.x * 1024, unit.y * 1024];
        out.push(5, 2, x, y, x + [0, 1, 1, 1, 0, -1, -1, -1][direction] * 900, y + [-1, -1, 0, 1, 1, 1, 0, -1][direction] * 900);
        out[0]++;
        out.push(6, 2, x, y, x + Math.cos(unit.facing) * 800, y + Math.sin(unit.facing) * 800);
      }
    }
    return out;
  }

  /** @param {any} message */
  send(message) {
    const handler = HANDLERS[message.do];
    if (handler) handler(this, message);
    else this.say({ is: "error", id: null, what: `the mock world does not know '${message.do}'` });
  }

  changed(x, y, w, h) {
    this.world.changed();
    receive(this.store, this.map(x, y, w, h, "WMA1"));
  }
}

/** The handlers of messages. @type {Record<string, (mock: MockSource, message: any) => void>} */
const HANDLERS = {
  time: (mock, { set, speed }) => {
    if (set) mock.playing = set === "play";
    if (speed) mock.speed = speed;
    if (set === "step") mock.tick();
    mock.tellTime();
  },
  order: (mock, { units, order, x, y, stops, target, queue, formation }) => {
    const { world } = mock;
    const leader = world.units.find((unit) => unit.id === target);
    const place = leader ? Math.floor(leader.y) * world.w + Math.floor(leader.x) : y * world.w + x;
    if (order === "move") world.order(units, place, queue, formation);
    else if (order === "patrol") stops.forEach(([sx, sy], i) => world.order(units, sy * world.w + sx, i > 0));
    // In this world units only go to the target.
    else if (Number.isFinite(place)) world.order(units, place, queue);
    else world.order(units, -1, false);
    const chosen = new Set(units);
    if (order === "hold") for (const unit of world.units) if (chosen.has(unit.id)) unit.hold = true;
  },
  // In this world a group is one order: joining, leaving and halting do nothing.
  join: (mock) => mock.say({ is: "done", id: null }),
  split: (mock) => mock.say({ is: "done", id: null, count: 0 }),
  engage: (mock) => mock.say({ is: "done", id: null }),
  resume: (mock) => mock.say({ is: "done", id: null }),
  form: (mock, { units, formation }) => {
    mock.say({ is: "done", id: null, count: mock.world.form(units, formation) });
  },
  paint: (mock, { tool, x, y, w = 1, h = 1, terrain, stamp, radius, strength }) => {
    const { world } = mock;
    if (tool === "stamp") [w, h] = [[3, 3], [5, 4], [1, 1]][stamp];
    if (tool === "threat") {
      for (let at = 0; at < world.threat.length; at++) {
        const far = Math.hypot((at % world.w) - x, Math.floor(at / world.w) - y);
        if (far < radius) world.threat[at] = Math.max(world.threat[at], Math.ceil(strength * (1 - far / radius)));
      }
      return;
    }
    const [x0, y0] = [Math.max(0, x), Math.max(0, y)];
    const [x1, y1] = [Math.min(world.w, x + w), Math.min(world.h, y + h)];
    for (let j = y0; j < y1; j++) {
      for (let i = x0; i < x1; i++) {
        const at = j * world.w + i;
        if (tool === "terrain") world.terrain[at] = terrain;
        else world.built[at] = { wall: 5, stamp: 1, gate: 3, bridge: 6, erase: 0 }[tool];
        if (tool === "bridge") world.terrain[at] = 5;
        if (tool === "erase") world.threat[at] = 0;
      }
    }
    if (x1 > x0 && y1 > y0) mock.changed(x0, y0, x1 - x0, y1 - y0);
  },
  toggle: (mock, { x, y }) => {
    mock.world.built[y * mock.world.w + x] = mock.world.built[y * mock.world.w + x] === 3 ? 4 : 3;
    mock.changed(x, y, 1, 1);
  },
  spawn: (mock, { count, x, y, owner, kind }) => {
    mock.world.spawn(count, x, y, owner, kind);
    mock.frame(0);
  },
  remove: (mock, { units }) => {
    const gone = new Set(units);
    mock.world.units = mock.world.units.filter((unit) => !gone.has(unit.id));
    mock.frame(0);
  },
  load: (mock, { scenario, generate }) => {
    if (generate) mock.make(generate.width, generate.height, generate.seed, `seed ${generate.seed}`);
    else mock.make(96, 60, scenario === "valley" ? 5 : 2, scenario);
    mock.hello();
  },
  snapshot: (mock) => {
    const { tick, units, terrain, built } = mock.world;
    mock.kept = structuredClone({ tick, units, terrain, built });
    mock.say({ is: "snapshot", tick, hash: "0".repeat(16), bytes: mock.world.units.length * 64 });
  },
  restore: (mock) => {
    Object.assign(mock.world, structuredClone(mock.kept ?? {}));
    mock.changed(0, 0, mock.world.w, mock.world.h);
    mock.frame(2);
  },
  compare: (mock) => {
    const hash = mock.world.hash().toString(16).padStart(16, "0");
    mock.say({ is: "compared", id: null, same: true, tick: mock.world.tick, hash, again: hash, part: null });
  },
  config: (mock, { key, value }) => {
    mock.settings[key] = value;
    mock.config();
  },
  reset: (mock) => {
    mock.settings = {};
    mock.config();
  },
  yaml: (mock) => mock.say({ is: "yaml", id: null,
    text: SETTINGS.map(([key, , , , value]) => `${key}: ${mock.settings[key] ?? value}\n`).join("") }),
  overlay: (mock, { name, on, unit, units }) => {
    if (on) mock.overlays.set(name, { unit, units });
    else mock.overlays.delete(name);
    mock.look();
  },
  unit: (mock, { unit }) => {
    mock.unit = unit ?? -1;
    mock.look();
  },
  replay: (mock) => mock.say({ is: "error", id: null, what: "the mock world cannot be saved" }),
  events: () => {},
};
