// The minimap in a corner: units and the area in view. A press moves the view.

import { OWNERS } from "./unit-looks.js";

/**
 * @import {Orders} from "./orders.js"
 * @import {Ground, Store} from "./store.js"
 * @import {MapView} from "./map-view.js"
 */

/** The longest side: 168 pixels. */
const SIDE = 168;
/** Drawn at most every 200 ms. */
const EVERY = 200;

export class Minimap {
  /** @param {HTMLCanvasElement} canvas @param {Store} store @param {MapView} view @param {Orders} orders */
  constructor(canvas, store, view, orders) {
    this.canvas = canvas;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    this.store = store;
    this.view = view;
    this.due = 0;
    store.on("ground", () => this.size());
    store.on("camera area", () => this.soon());
    store.on("frame", () => this.soon());
    const place = (event) => {
      const box = canvas.getBoundingClientRect();
      const { w, h } = store.ground ?? { w: 1, h: 1 };
      return { x: ((event.clientX - box.left) / box.width) * w, y: ((event.clientY - box.top) / box.height) * h };
    };
    const go = (event) => {
      const { x, y } = place(event);
      view.camera.goTo(x, y);
    };
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      canvas.setPointerCapture(event.pointerId);
      go(event);
    });
    canvas.addEventListener("pointermove", (event) => event.buttons & 1 && go(event));
    canvas.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      orders.aim({ ...place(event), unit: -1, shift: event.shiftKey });
    });
  }

  size() {
    const ground = /** @type {Ground} */ (this.store.ground);
    const scale = SIDE / Math.max(ground.w, ground.h);
    this.canvas.width = Math.max(24, Math.round(ground.w * scale));
    this.canvas.height = Math.max(24, Math.round(ground.h * scale));
    this.canvas.style.aspectRatio = `${this.canvas.width} / ${this.canvas.height}`;
    this.soon();
  }

  soon() {
    if (this.due) return;
    this.due = setTimeout(() => {
      this.due = 0;
      this.draw();
    }, EVERY);
  }

  draw() {
    const { context, canvas, store, view } = this;
    const ground = store.ground;
    if (!ground) return;
    const sx = canvas.width / ground.w;
    const sy = canvas.height / ground.h;
    context.imageSmoothingEnabled = true;
    context.drawImage(view.picture.far, 0, 0, canvas.width, canvas.height);
    const frame = store.stage.frame;
    if (frame) {
      /** @type {Path2D[]} */ const paths = [];
      for (let i = 0; i < frame.count; i++) {
        (paths[frame.owner[i] & 7] ??= new Path2D()).rect(frame.x[i] * sx - 1, frame.y[i] * sy - 1, 2, 2);
      }
      paths.forEach((path, owner) => {
        context.fillStyle = OWNERS[owner];
        context.fill(path);
      });
    }
    const { x0, y0, x1, y1 } = view.camera.seen;
    context.lineWidth = 3;
    context.strokeStyle = "#0008";
    context.strokeRect(x0 * sx, y0 * sy, (x1 - x0) * sx, (y1 - y0) * sy);
    context.lineWidth = 1;
    context.strokeStyle = "#fff";
    context.strokeRect(x0 * sx, y0 * sy, (x1 - x0) * sx, (y1 - y0) * sy);
  }
}
