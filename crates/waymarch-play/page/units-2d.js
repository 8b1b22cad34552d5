// Units without WebGL: little pictures, made once for each look and size, copied to where units are.

import { OWNERS } from "./units-gl.js";

/** Ways to look that a unit's picture is made for. */
const TURNS = 16;

export class Units2d {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.name = "canvas 2D";
    this.canvas = canvas;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    /** @type {Map<number, HTMLCanvasElement>} */ this.sprites = new Map();
    this.size = 0;
  }

  /** @param {number} radius  pixels @param {number} owner @param {number} state @param {number} turn */
  sprite(radius, owner, state, turn) {
    const key = ((Math.round(radius * 4) * 8 + (owner & 7)) * 16 + (state & 3) + ((state >> 2) & 12)) * TURNS + turn;
    let sprite = this.sprites.get(key);
    if (sprite) return sprite;
    if (this.sprites.size > 4000) this.sprites.clear();
    sprite = document.createElement("canvas");
    sprite.width = sprite.height = Math.ceil(radius * 2 + 4);
    const context = /** @type {CanvasRenderingContext2D} */ (sprite.getContext("2d"));
    context.translate(sprite.width / 2, sprite.height / 2);
    const circle = (r) => {
      context.beginPath();
      context.arc(0, 0, r, 0, Math.PI * 2);
    };
    context.fillStyle = OWNERS[owner & 7];
    circle(radius);
    context.fill();
    if ((state & 3) === 0) {
      context.fillStyle = "rgb(140 140 140 / 0.38)";
      context.fill();
    }
    if (radius > 3) {
      context.strokeStyle = "rgb(0 0 0 / 0.5)";
      context.lineWidth = 1.2;
      circle(radius - 0.6);
      context.stroke();
      context.rotate((turn / TURNS) * Math.PI * 2);
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
    this.sprites.set(key, sprite);
    return sprite;
  }

  /**
   * @param {import("./store.js").Store} store @param {import("./camera.js").Camera} camera
   * @param {{t: number, dpr: number, ring: string}} now
   */
  draw(store, camera, now) {
    const { context, canvas } = this;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    const { stage, selected } = store;
    const frame = stage.frame;
    if (!frame) return;
    const kinds = store.hello?.types ?? [];
    const scale = camera.scale * now.dpr;
    const left = canvas.width / 2 - camera.x * scale;
    const top = canvas.height / 2 - camera.y * scale;
    const rings = new Path2D();
    for (let i = 0; i < frame.count; i++) {
      const x = left + (stage.fromX[i] + (frame.x[i] - stage.fromX[i]) * now.t) * scale;
      const y = top + (stage.fromY[i] + (frame.y[i] - stage.fromY[i]) * now.t) * scale;
      if (x < -64 || y < -64 || x > canvas.width + 64 || y > canvas.height + 64) continue;
      const radius = Math.max(1.3 * now.dpr, ((kinds[frame.kind[i]]?.radius ?? 400) / 1024) * scale);
      const angle = stage.fromFacing[i] + (frame.facing[i] - stage.fromFacing[i]) * now.t;
      const turn = radius > 3 ? Math.round((angle / (Math.PI * 2)) * TURNS) & (TURNS - 1) : 0;
      const sprite = this.sprite(radius, frame.owner[i], frame.state[i], turn);
      context.drawImage(sprite, Math.round(x - sprite.width / 2), Math.round(y - sprite.height / 2));
      if (selected.size && selected.has(frame.id[i])) {
        rings.moveTo(x + radius * 1.25, y);
        rings.arc(x, y, radius * 1.25, 0, Math.PI * 2);
      }
    }
    context.strokeStyle = now.ring;
    context.lineWidth = 1.6 * now.dpr;
    context.stroke(rings);
  }
}
