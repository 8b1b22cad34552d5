// Draws units without a graphics card: sprites, made once for each look and size, copied pixel by pixel.
//
// This is several times as fast as WebGL on the processor: only pixels of units are touched. A sprite is two lists of
// pixels, opaque ones and partly transparent ones, so that no pixel needs a test.

import { MARKED, REACH, cssColour, outline } from "./unit-looks.js";

/**
 * @import {Camera} from "./camera.js"
 * @import {Store} from "./store.js"
 */

/** Sprites are made for 16 facings. */
const TURNS = 16;
/** All cached sprites together have at most 4,000,000 pixels. */
const KEPT = 4_000_000;

/**
 * A unit's sprite. For units that are wholly in view it has the offsets of opaque and of partly transparent pixels on the canvas,
 * and their colours.
 * @typedef {{side: number, pixels: Uint32Array, solid: Int32Array, solidInk: Uint32Array, rim: Int32Array, rimInk: Uint32Array}} Sprite
 */

/**
 * What a sprite shows; the radius in pixels.
 * @typedef {{radius: number, owner: number, kind: number, state: number, turn: number, marked: number}} Look
 */

export class Units2d {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.name = "canvas 2D";
    this.canvas = canvas;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    const easel = document.createElement("canvas");
    this.easel = /** @type {CanvasRenderingContext2D} */ (easel.getContext("2d", { willReadFrequently: true }));
    /** @type {Map<number, Sprite>} */ this.sprites = new Map();
    this.kept = 0;
    /** @type {ImageData | null} */ this.image = null;
    this.pixels = new Uint32Array(0);
    /** The area that was drawn last; it has to be cleared. */ this.last = { x0: 0, y0: 0, x1: 0, y1: 0 };
  }

  /**
   * The sprite of a unit, made when it is needed first. `marked`: 1 for selected units, otherwise 0.
   * @param {Look} unit @returns {Sprite}
   */
  sprite(unit) {
    const { radius, owner, kind, state, turn, marked } = unit;
    const look = (state & 3) + ((state >> 2) & 12);
    const key = ((((Math.round(radius * 4) * 8 + (owner & 7)) * 16 + look) * TURNS + turn) * 2 + marked) * 256 + kind;
    let sprite = this.sprites.get(key);
    if (sprite) return sprite;
    const side = Math.ceil(radius * 2 * REACH * MARKED + 5);
    if (this.kept > KEPT) {
      this.sprites.clear();
      this.kept = 0;
    }
    this.kept += side * side;
    this.easel.canvas.width = this.easel.canvas.height = side;
    paint(this.easel, side, unit);
    sprite = sorted(side, new Uint32Array(this.easel.getImageData(0, 0, side, side).data.buffer), this.canvas.width);
    this.sprites.set(key, sprite);
    return sprite;
  }

  /**
   * @param {Store} store @param {Camera} camera
   * @param {{t: number, dpr: number}} now
   */
  draw(store, camera, now) {
    const { canvas } = this;
    const { width, height } = canvas;
    if (!this.image || this.image.width !== width || this.image.height !== height) {
      this.image = new ImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
      // The offsets depend on the width of the canvas.
      this.sprites.clear();
      this.kept = 0;
      this.last = { x0: 0, y0: 0, x1: width, y1: height };
    }
    const { last } = this;
    for (let y = last.y0; y < last.y1; y++) this.pixels.fill(0, y * width + last.x0, y * width + last.x1);
    const { stage, selected } = store;
    const frame = stage.frame;
    const drawn = { x0: width, y0: height, x1: 0, y1: 0 };
    const kinds = store.hello?.types ?? [];
    const scale = camera.scale * now.dpr;
    const left = width / 2 - camera.x * scale;
    const top = height / 2 - camera.y * scale;
    /** One object for all units: thousands of objects per frame would be garbage. */
    const unit = { radius: 0, owner: 0, kind: 0, state: 0, turn: 0, marked: 0 };
    for (let i = 0; frame && i < frame.count; i++) {
      const x = left + (stage.fromX[i] + (frame.x[i] - stage.fromX[i]) * now.t) * scale;
      const y = top + (stage.fromY[i] + (frame.y[i] - stage.fromY[i]) * now.t) * scale;
      const radius = Math.max(1.3 * now.dpr, ((kinds[frame.kind[i]]?.radius ?? 400) / 1024) * scale);
      const reach = radius * REACH * MARKED + 3;
      if (x < -reach || y < -reach || x > width + reach || y > height + reach) continue;
      const angle = stage.fromFacing[i] + (frame.facing[i] - stage.fromFacing[i]) * now.t;
      const turn = radius > 3 ? Math.round((angle / (Math.PI * 2)) * TURNS) & (TURNS - 1) : 0;
      const marked = selected.size && selected.has(frame.id[i]) ? 1 : 0;
      unit.radius = radius;
      unit.owner = frame.owner[i];
      unit.kind = frame.kind[i];
      unit.state = frame.state[i];
      unit.turn = turn;
      unit.marked = marked;
      this.blit(this.sprite(unit), x, y, drawn);
    }
    const x0 = Math.min(last.x0, drawn.x0);
    const y0 = Math.min(last.y0, drawn.y0);
    const x1 = Math.max(last.x1, drawn.x1);
    const y1 = Math.max(last.y1, drawn.y1);
    if (x1 > x0 && y1 > y0) this.context.putImageData(this.image, 0, 0, x0, y0, x1 - x0, y1 - y0);
    this.last = drawn.x1 > drawn.x0 ? drawn : { x0: 0, y0: 0, x1: 0, y1: 0 };
  }

  /**
   * @param {Sprite} sprite @param {number} x @param {number} y
   * @param {{x0: number, y0: number, x1: number, y1: number}} drawn
   */
  blit(sprite, x, y, drawn) {
    const { side } = sprite;
    const { pixels: to } = this;
    const { width, height } = this.canvas;
    const left = Math.round(x - side / 2);
    const top = Math.round(y - side / 2);
    const x0 = Math.max(0, left);
    const y0 = Math.max(0, top);
    const x1 = Math.min(width, left + side);
    const y1 = Math.min(height, top + side);
    if (x0 < drawn.x0) drawn.x0 = x0;
    if (y0 < drawn.y0) drawn.y0 = y0;
    if (x1 > drawn.x1) drawn.x1 = x1;
    if (y1 > drawn.y1) drawn.y1 = y1;
    const first = top * width + left;
    if (x1 - x0 === side && y1 - y0 === side) {
      const { solid, solidInk, rim, rimInk } = sprite;
      for (let i = 0; i < solid.length; i++) to[first + solid[i]] = solidInk[i];
      for (let i = 0; i < rim.length; i++) to[first + rim[i]] = mixed(rimInk[i], to[first + rim[i]]);
      return;
    }
    for (let row = y0; row < y1; row++) {
      let at = row * width + x0;
      let src = (row - top) * side + x0 - left;
      for (const end = row * width + x1; at < end; at++, src++) to[at] = mixed(sprite.pixels[src], to[at]);
    }
  }
}

/** Blends one pixel over another. @param {number} ink @param {number} under */
function mixed(ink, under) {
  const part = ink >>> 24;
  if (!part) return under;
  if (part === 255 || !(under >>> 24)) return ink;
  const rest = 255 - part;
  const r = ((ink & 255) * part + (under & 255) * rest) / 255;
  const g = (((ink >> 8) & 255) * part + ((under >> 8) & 255) * rest) / 255;
  const b = (((ink >> 16) & 255) * part + ((under >> 16) & 255) * rest) / 255;
  return (Math.max(part, under >>> 24) << 24) | (b << 16) | (g << 8) | r;
}

/** A sprite with its lists. @param {number} side @param {Uint32Array} pixels @param {number} width  of the canvas @returns {Sprite} */
function sorted(side, pixels, width) {
  const all = [...pixels.keys()];
  const place = (i) => Math.floor(i / side) * width + (i % side);
  const solid = all.filter((i) => pixels[i] >>> 24 === 255);
  const rim = all.filter((i) => pixels[i] >>> 24 > 0 && pixels[i] >>> 24 < 255);
  const ink = (list) => Uint32Array.from(list, (i) => pixels[i]);
  const places = (list) => Int32Array.from(list, place);
  return { side, pixels, solid: places(solid), solidInk: ink(solid), rim: places(rim), rimInk: ink(rim) };
}

/**
 * Draws one unit in the middle of a sprite.
 * @param {CanvasRenderingContext2D} context @param {number} side @param {Look} look
 */
function paint(context, side, { radius, owner, kind, state, turn, marked }) {
  context.translate(side / 2, side / 2);
  const circle = (r) => {
    context.beginPath();
    context.arc(0, 0, r, 0, Math.PI * 2);
  };
  context.rotate((turn / TURNS) * Math.PI * 2);
  outline(context, kind, radius);
  if (radius <= 3) {
    // Small units get a dark outline, so that blue is visible on water and green on grass.
    context.strokeStyle = "rgb(8 14 24 / 0.6)";
    context.lineWidth = 1.8;
    context.stroke();
  }
  context.fillStyle = cssColour(owner, kind);
  context.fill();
  if ((state & 3) === 0) {
    context.fillStyle = "rgb(140 140 140 / 0.38)";
    context.fill();
  }
  if (radius > 3) {
    context.strokeStyle = "rgb(0 0 0 / 0.55)";
    context.lineWidth = 1.2;
    context.stroke();
    context.fillStyle = "rgb(255 255 255 / 0.85)";
    context.beginPath();
    context.moveTo(radius * 0.85, 0);
    context.lineTo(radius * 0.05, radius * 0.44);
    context.lineTo(radius * 0.05, -radius * 0.44);
    context.fill();
    if ((state & 3) === 2) {
      context.fillStyle = "#1a1a1a";
      context.fillRect(-radius * 0.28, -radius * 0.28, radius * 0.56, radius * 0.56);
    }
  }
  if ((state >> 4) & 3) {
    context.fillStyle = "#ff4a1a";
    circle(radius * 0.45);
    context.fill();
  }
  if (!marked) return;
  context.strokeStyle = "#ffffff";
  context.lineWidth = Math.max(1, radius * 0.16);
  outline(context, kind, radius * MARKED + 0.5);
  context.stroke();
}
