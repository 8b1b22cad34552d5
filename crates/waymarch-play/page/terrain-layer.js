// The map as images: one pixel per cell at low zoom, detailed squares of 64 cells at high zoom. Both are painted once.

import { BUILT } from "./store.js";

/**
 * @import {Camera} from "./camera.js"
 * @import {Ground, Store} from "./store.js"
 */

/** A square has 64 cells per side. */
const CELLS = 64;
/** A cell has 8 pixels per side in a square. */
const PIXELS = 8;
/** At most 96 squares are kept. */
const KEPT = 96;
/** At most 3 squares are painted per frame. */
const PER_FRAME = 3;

/** Colours of structures: lit side, body, shaded side. Other cells show their terrain. */
const BUILT_COLOURS = {
  [BUILT.blocked]: [[168, 152, 136], [134, 118, 104], [80, 69, 60]],
  [BUILT.pass]: [[206, 190, 160], [186, 170, 142], [150, 134, 108]],
  [BUILT.gateClosed]: [[214, 156, 74], [178, 120, 44], [112, 74, 26]],
  [BUILT.gateOpen]: [[214, 190, 140], [190, 168, 122], [150, 130, 92]],
  [BUILT.wall]: [[122, 126, 138], [92, 96, 108], [58, 61, 71]],
};
/** Structures that units can cross are drawn flat. */
const FLAT = new Set([BUILT.pass, BUILT.gateOpen, BUILT.bridge]);
const RAISED = (kind) => kind > 256 && !FLAT.has(kind - 256);

/** @param {string} colour  "#rrggbb" @returns {[number, number, number]} */
export function rgb(colour) {
  const n = parseInt(colour.slice(1), 16);
  return [(n >> 16) & 255, (n >> 8) & 255, n & 255];
}

/** A small pseudo-random number for a cell. @param {number} x @param {number} y */
function grain(x, y) {
  let n = Math.imul(x, 374761393) ^ Math.imul(y, 668265263);
  n = Math.imul(n ^ (n >>> 13), 1274126177);
  return ((n >>> 24) & 15) - 8;
}

/** Colours for terrains that share one, by words in their names. */
const NAMED = [
  ["road", "#bfa982"], ["bridge", "#a98a63"], ["dirt", "#b39a72"], ["rough", "#a3a06a"], ["hill", "#9a9562"],
  ["forest", "#4f7f4b"],
  ["tree", "#4f7f4b"], ["beach", "#dfcd98"], ["shore", "#dfcd98"], ["sand", "#dfcd98"], ["swamp", "#6b7f5a"],
  ["marsh", "#6b7f5a"],
  ["river", "#5f97c6"],
  ["snow", "#e4eaee"], ["ice", "#cfe3ec"], ["rock", "#7b7670"], ["wall", "#66626a"], ["ore", "#c9a227"],
  ["gem", "#7fb4c9"],
];

/**
 * Gives distinct colours to terrains that share one: by name, or else darker and darker.
 * @param {{name: string, colour: string}[]} terrains
 */
function distinct(terrains) {
  return terrains.map(({ name, colour }, i) => {
    const before = terrains.slice(0, i).filter((other) => other.colour === colour).length;
    const named = NAMED.find(([word]) => name.toLowerCase().includes(word));
    const shared = terrains.some((other, j) => j !== i && other.colour === colour);
    if (shared && named) return rgb(named[1]);
    const light = Math.max(0.6, 0.9 ** before);
    return /** @type {[number, number, number]} */ (rgb(colour).map((part) => Math.round(part * light)));
  });
}

/** The colour of unknown terrains. */
const UNKNOWN = [255, 0, 255];

/** A colour, lighter or darker, as a pixel. @param {number[]} colour @param {number} light */
function pack([r, g, b], light) {
  const cut = (v) => (v < 0 ? 0 : v > 255 ? 255 : v);
  return ((255 << 24) | (cut(b + light) << 16) | (cut(g + light) << 8) | cut(r + light)) >>> 0;
}

export class TerrainLayer {
  /** @param {Store} store */
  constructor(store) {
    this.store = store;
    /** One pixel per cell. */ this.far = document.createElement("canvas");
    /** @type {Map<number, HTMLCanvasElement>} */ this.squares = new Map();
    /** @type {[number, number, number][]} */ this.colours = [];
    this.version = 0;
    store.on("ground hello", () => this.all());
    store.on("area", (area) => this.part(area));
  }

  all() {
    const { ground, hello } = this.store;
    if (!ground || !hello) return;
    this.colours = distinct(hello.terrains);
    this.far.width = ground.w;
    this.far.height = ground.h;
    this.squares.clear();
    this.paintFar(0, 0, ground.w, ground.h);
  }

  /** @param {{x: number, y: number, w: number, h: number}} area */
  part({ x, y, w, h }) {
    this.paintFar(x, y, w, h);
    // One more cell on each side, because shades fall on neighbours.
    for (let sy = Math.floor((y - 1) / CELLS); sy <= Math.floor((y + h) / CELLS); sy++) {
      for (let sx = Math.floor((x - 1) / CELLS); sx <= Math.floor((x + w) / CELLS); sx++) {
        this.squares.delete(sy * 65536 + sx);
      }
    }
  }

  /** @param {number} x0 @param {number} y0 @param {number} w @param {number} h */
  paintFar(x0, y0, w, h) {
    const ground = this.store.ground;
    if (!ground || w <= 0 || h <= 0) return;
    const context = /** @type {CanvasRenderingContext2D} */ (this.far.getContext("2d"));
    const image = context.createImageData(w, h);
    const pixels = new Uint32Array(image.data.buffer);
    // All colours of cells, by structure or terrain, in sixteen shades.
    const shades = (colour) => Uint32Array.from({ length: 16 }, (_, shade) => pack(colour, (shade - 8) * 0.6));
    const terrains = Array.from({ length: 256 }, (_, i) => shades(this.colours[i] ?? UNKNOWN));
    const builds = Array.from({ length: 256 }, (_, i) => (BUILT_COLOURS[i] ? pack(BUILT_COLOURS[i][1], 0) : 0));
    let to = 0;
    for (let y = y0; y < y0 + h; y++) {
      for (let x = x0; x < x0 + w; x++) {
        const at = y * ground.w + x;
        pixels[to++] = builds[ground.built[at]] || terrains[ground.terrain[at]][grain(x, y) + 8];
      }
    }
    context.putImageData(image, x0, y0);
    this.version++;
  }

  /** @param {number} sx @param {number} sy */
  paintSquare(sx, sy) {
    const ground = /** @type {Ground} */ (this.store.ground);
    const canvas = document.createElement("canvas");
    const w = Math.min(CELLS, ground.w - sx * CELLS);
    const h = Math.min(CELLS, ground.h - sy * CELLS);
    canvas.width = w * PIXELS;
    canvas.height = h * PIXELS;
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    const image = context.createImageData(canvas.width, canvas.height);
    const data = new Uint32Array(image.data.buffer);
    const kind = (x, y) => {
      const cx = Math.min(ground.w - 1, Math.max(0, x));
      const cy = Math.min(ground.h - 1, Math.max(0, y));
      const at = cy * ground.w + cx;
      return ground.built[at] ? 256 + ground.built[at] : ground.terrain[at];
    };
    for (let j = 0; j < h; j++) {
      for (let i = 0; i < w; i++) {
        const x = sx * CELLS + i;
        const y = sy * CELLS + j;
        this.paintCell(data, canvas.width, i * PIXELS, j * PIXELS, {
          here: kind(x, y), terrain: ground.terrain[y * ground.w + x], grain: grain(x, y),
          n: kind(x, y - 1), e: kind(x + 1, y), s: kind(x, y + 1), w: kind(x - 1, y),
        });
      }
    }
    context.putImageData(image, 0, 0);
    return canvas;
  }

  /**
   * @param {Uint32Array} data @param {number} stride @param {number} left @param {number} top
   * @param {{here: number, terrain: number, grain: number, n: number, e: number, s: number, w: number}} cell
   */
  paintCell(data, stride, left, top, cell) {
    const { here } = cell;
    const colours = here > 256 ? BUILT_COLOURS[here - 256] : null;
    const base = colours ? colours[1] : this.colours[cell.terrain] ?? UNKNOWN;
    const raised = RAISED(here);
    const shadow = !raised && RAISED(cell.n);
    const last = PIXELS - 1;
    for (let y = 0; y < PIXELS; y++) {
      for (let x = 0; x < PIXELS; x++) {
        let [r, g, b] = base;
        let light = colours ? 0 : cell.grain * 0.7;
        if (colours && raised) {
          if ((y === 0 && cell.n !== here) || (x === 0 && cell.w !== here)) [r, g, b] = colours[0];
          else if ((y >= last - 1 && cell.s !== here) || (x === last && cell.e !== here)) [r, g, b] = colours[2];
        } else if (colours) {
          if (x === 0 || x === last) [r, g, b] = colours[2];
        } else if (here > 256) {
          // Planks.
          light = x % 4 === 3 ? -34 : 6;
        } else if ((y === 0 && cell.n < 256 && cell.n !== here) || (x === 0 && cell.w < 256 && cell.w !== here)) {
          light -= 14;
        } else if (x === last || y === last) {
          // A faint grid.
          light -= 3;
        }
        if (shadow && y < 3) light -= 26 - y * 7;
        data[(top + y) * stride + left + x] = pack([r, g, b], light);
      }
    }
  }

  /**
   * Draws the area in view. Returns whether squares are still missing: then it should be drawn again.
   * @param {CanvasRenderingContext2D} context  in CSS pixels
   * @param {Camera} camera
   */
  draw(context, camera) {
    const ground = this.store.ground;
    if (!ground) return false;
    const [left, top] = camera.toScreen(0, 0);
    const { scale } = camera;
    context.imageSmoothingEnabled = scale < 2;
    context.drawImage(this.far, left, top, ground.w * scale, ground.h * scale);
    if (scale < 3) return false;
    context.imageSmoothingEnabled = scale < PIXELS;
    const seen = camera.seen;
    let painted = 0;
    let missing = false;
    for (let sy = Math.floor(seen.y0 / CELLS); sy * CELLS < seen.y1; sy++) {
      for (let sx = Math.floor(seen.x0 / CELLS); sx * CELLS < seen.x1; sx++) {
        const key = sy * 65536 + sx;
        let square = this.squares.get(key);
        if (!square && painted === PER_FRAME) {
          missing = true;
          continue;
        }
        if (!square) {
          square = this.paintSquare(sx, sy);
          painted++;
        }
        // The least recently used square is dropped first.
        this.squares.delete(key);
        this.squares.set(key, square);
        const x = Math.round(left + sx * CELLS * scale);
        const y = Math.round(top + sy * CELLS * scale);
        context.drawImage(square, x, y, Math.round(left + (sx * CELLS * PIXELS + square.width) / PIXELS * scale) - x,
          Math.round(top + (sy * CELLS * PIXELS + square.height) / PIXELS * scale) - y);
      }
    }
    for (const key of this.squares.keys()) {
      if (this.squares.size <= KEPT) break;
      this.squares.delete(key);
    }
    return missing;
  }
}
