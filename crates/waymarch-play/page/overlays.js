// Overlays: their colours, and the requests to the server for those that are on.
//
// The server lists the overlays with their descriptions and forms (one of five). An overlay of a known form
// needs nothing here; an entry in LOOKS gives it its own colours.

import { rgb } from "./terrain-layer.js";

/**
 * @import {Camera} from "./camera.js"
 * @import {Overlay, Store} from "./store.js"
 */

/** Colour scales from low to high. */
const PALETTES = {
  heat: ["#2b2f77", "#3b6fb6", "#35a7a0", "#8fce64", "#f4e04d"],
  cost: ["#e8f3dc", "#cfd98a", "#d9a84e", "#b8613a", "#6d2b2b"],
  danger: ["#ffe08a", "#ffb04a", "#f5722f", "#d32f2f", "#7b1fa2"],
  room: ["#7a1f3d", "#c2553f", "#e6b450", "#8fc97a", "#2f8f9d"],
};

/** The looks of overlays by name; others have the default look of their form. */
const LOOKS = {
  cost: { palette: "cost", alpha: 0.72 },
  threat: { palette: "danger", alpha: 0.66 },
  clearance: { palette: "room", alpha: 0.62 },
  integration: { palette: "heat", alpha: 0.66, bands: true },
  density: { palette: "danger", alpha: 0.7 },
  sectors: { alpha: 0.34 },
  domains: { alpha: 0.5 },
};

/**
 * Lines by class, as PROTOCOL.md numbers them.
 * `mark`: at the end, a ring with a dot for a goal, a small ring for a queued goal.
 * @type {{colour: string, width: number, under?: string, dash?: number[], thins?: boolean, mark?: "goal" | "queued", name: string}[]}
 */
export const LINES = [
  { colour: "#ffffff", width: 1.6, under: "#00000088", thins: true, name: "route" },
  { colour: "#ffc857", width: 1.6, dash: [5, 4], under: "#00000088", thins: true, name: "temporary route" },
  { colour: "#1b2430aa", width: 1, name: "border" },
  { colour: "#ff4fa3", width: 4, under: "#00000066", name: "main door" },
  { colour: "#29c7f2", width: 3, under: "#00000066", name: "other door" },
  { colour: "#ffd23f", width: 1.6, under: "#00000088", name: "preferred velocity" },
  { colour: "#5dffb0", width: 1.6, under: "#00000088", name: "actual velocity" },
  { colour: "#ffffffb0", width: 1, thins: true, name: "line to its formation slot" },
  { colour: "#7cf7ff", width: 1.6, under: "#00000088", name: "formation slot" },
  { colour: "#5dffb0", width: 3, under: "#00000088", name: "gate" },
  { colour: "#ff9f1c", width: 3, under: "#00000088", name: "gate with opposing traffic" },
  { colour: "#ff8fd0", width: 1.4, dash: [3, 4], under: "#00000055", thins: true, name: "line to the target of the order" },
  { colour: "#5dffb0", width: 1.8, under: "#00000070", mark: "goal", name: "to the destination of a move" },
  { colour: "#ff5c7a", width: 1.8, under: "#00000070", mark: "goal", name: "to the destination of an attack-move" },
  { colour: "#ffc857", width: 1.8, under: "#00000070", mark: "goal", name: "to the destination of another order" },
  { colour: "#5dffb0", width: 1.6, under: "#00000060", dash: [6, 5], mark: "queued", name: "queued move" },
  { colour: "#ff5c7a", width: 1.6, under: "#00000060", dash: [6, 5], mark: "queued", name: "queued attack-move" },
  { colour: "#ffc857", width: 1.6, under: "#00000060", dash: [6, 5], mark: "queued", name: "another queued order" },
];

/** Marked cells by class. */
export const MARKS = [
  { colour: "#d9c2ff77", name: "reached" },
  { colour: "#8a5cf6a0", name: "expanded" },
  { colour: "#ff9f1c", name: "jump point", dot: true },
  { colour: "#35d07f", name: "start" },
  { colour: "#ff3d6e", name: "goal" },
  { colour: "#ff4a1a", name: "stuck unit", ring: true },
  { colour: "#c77dff", name: "neighbour", ring: true },
];

export const FORM = { heat: 0, areas: 1, arrows: 2, lines: 3, marks: 4 };

/** @param {string} name */
export const palette = (name) => PALETTES[LOOKS[name]?.palette ?? "heat"];

/** 256 colours of a palette as pixels. @param {string[]} stops @param {number} alpha */
function ramp(stops, alpha) {
  const colours = stops.map(rgb);
  const out = new Uint32Array(256);
  for (let i = 0; i < 256; i++) {
    const place = (i / 255) * (colours.length - 1);
    const low = Math.min(colours.length - 2, Math.floor(place));
    const part = place - low;
    const [r, g, b] = colours[low].map((c, k) => c + (colours[low + 1][k] - c) * part);
    out[i] = (Math.round(alpha * 255) << 24) | (b << 16) | (g << 8) | r;
  }
  return out;
}

/** A colour for each number; consecutive numbers differ strongly in hue. @param {number} n @param {number} alpha */
function areaColour(n, alpha) {
  const hue = (n * 137.508) % 360;
  const f = (k) => {
    const a = (k + hue / 30) % 12;
    return Math.round(255 * (0.56 - 0.27 * Math.max(-1, Math.min(a - 3, 9 - a, 1))));
  };
  return ((Math.round(alpha * 255) << 24) | (f(4) << 16) | (f(8) << 8) | f(0)) >>> 0;
}

/** Heat and areas as an image with one pixel per value; made once per message. */
export class GridPictures {
  constructor() {
    /** @type {WeakMap<Overlay, HTMLCanvasElement>} */ this.made = new WeakMap();
  }

  /** @param {Overlay} overlay */
  of(overlay) {
    let canvas = this.made.get(overlay);
    if (canvas) return canvas;
    canvas = document.createElement("canvas");
    canvas.width = Math.max(1, overlay.w);
    canvas.height = Math.max(1, overlay.h);
    this.made.set(overlay, canvas);
    const cells = overlay.cells;
    if (!cells || !overlay.w || !overlay.h) return canvas;
    const look = LOOKS[overlay.name] ?? {};
    const alpha = look.alpha ?? 0.55;
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    const image = context.createImageData(overlay.w, overlay.h);
    const pixels = new Uint32Array(image.data.buffer);
    if (overlay.form === FORM.heat) {
      const colours = ramp(palette(overlay.name), alpha);
      const most = Math.max(1, overlay.most);
      for (let i = 0; i < cells.length; i++) {
        if (cells[i] === 65535) continue;
        let part = Math.min(255, Math.floor((cells[i] * 255) / most));
        // Bands make distances readable: a step of colour every sixteenth of the range.
        if (look.bands) part = part & 0xf0;
        pixels[i] = colours[part];
      }
    } else {
      /** @type {Map<number, number>} */ const known = new Map();
      for (let i = 0; i < cells.length; i++) {
        if (cells[i] === 65535) continue;
        let colour = known.get(cells[i]);
        if (colour === undefined) known.set(cells[i], (colour = areaColour(cells[i], alpha)));
        pixels[i] = colour;
      }
    }
    context.putImageData(image, 0, 0);
    return canvas;
  }
}

/** At most 6000 units in one message: a server accepts 64 KiB. */
const PORTION = 6000;
/** At most 1024 values per side in a message; on larger maps only the area in view is requested. */
const MOST = 1024;

/** Tells the server which overlays are on, for which units and which area. */
export class OverlayRequests {
  /** @param {Store} store @param {Camera} camera */
  constructor(store, camera) {
    this.store = store;
    this.camera = camera;
    this.waiting = 0;
    store.on("hello", () => this.all());
    store.on("shown", (name) => this.ask(name));
    store.on("overlay-kind", () => this.all());
    store.on("selection", () => {
      this.all("unit");
      this.all("units");
      this.all("selection");
    });
    store.on("camera", () => {
      const { ground } = store;
      if (!ground || (ground.w <= MOST && ground.h <= MOST) || !store.shown.size) return;
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => this.all(), 250);
    });
  }

  /** @param {string} [needs]  only those that need this */
  all(needs) {
    for (const name of this.store.shown) {
      const info = this.store.hello?.overlays.find((overlay) => overlay.name === name);
      if (info && (!needs || info.needs === needs)) this.ask(name);
    }
  }

  /** @param {string} name */
  ask(name) {
    const { store } = this;
    const on = store.shown.has(name);
    /** @type {any} */ const message = { do: "overlay", name, on, kind: store.overlayKind };
    const info = store.hello?.overlays.find((overlay) => overlay.name === name);
    if (on && (info?.needs === "unit" || info?.needs === "selection")) {
      const unit = store.selected.values().next().value;
      if (unit === undefined) {
        store.overlays.delete(name);
        store.say("overlay", name);
        return store.send({ do: "overlay", name, on: false });
      }
      message.unit = unit;
    }
    if (on && (info?.needs === "units" || info?.needs === "selection")) message.units = [...store.selected].slice(0, PORTION);
    const ground = store.ground;
    if (ground && (ground.w > MOST || ground.h > MOST)) {
      const { x0, y0, x1, y1 } = this.camera.seen;
      // Request a margin where that costs no resolution, so that small moves of the view need no new data.
      const more = (side) => Math.max(0, Math.floor(Math.min(side, MOST - side) / 2));
      const [mx, my] = [more(x1 - x0), more(y1 - y0)];
      const [left, top] = [Math.max(0, x0 - mx), Math.max(0, y0 - my)];
      message.area = [left, top, x1 + mx - left, y1 + my - top];
    }
    store.send(message);
  }
}
