// Mouse, pen and touch on the map: select, order, paint, move the view, zoom.

import { toolNamed } from "./tools.js";

/**
 * @import {Orders} from "./orders.js"
 * @import {Store} from "./store.js"
 * @import {MapView} from "./map-view.js"
 */

/** A press that moves by more than 5 pixels is a drag. */
const STILL = 5;
/** A finger held still for 380 ms begins a box. */
const HELD = 380;
/** A drag of more than 14 pixels with the order button sets a facing. */
const TURNED = 14;

export class Pointer {
  /**
   * @param {HTMLElement} host @param {Store} store @param {MapView} view
   * @param {Orders} orders
   */
  constructor(host, store, view, orders) {
    this.host = host;
    this.store = store;
    this.view = view;
    this.orders = orders;
    /** Fingers that are down. @type {Map<number, {x: number, y: number}>} */ this.fingers = new Map();
    /**
     * What the present press does; empty if there is none.
     * @type {"" | "maybe" | "box" | "pan" | "paint" | "pinch" | "order"}
     */
    this.doing = "";
    this.start = { x: 0, y: 0 };
    this.last = { x: 0, y: 0 };
    this.painted = "";
    this.holding = 0;
    host.addEventListener("pointerdown", (event) => this.down(event));
    host.addEventListener("pointermove", (event) => this.move(event));
    host.addEventListener("pointerup", (event) => this.up(event));
    host.addEventListener("pointercancel", (event) => this.up(event, true));
    host.addEventListener("pointerleave", () => this.ghostAt(null));
    host.addEventListener("dblclick", (event) => this.sameKind(event));
    host.addEventListener("contextmenu", (event) => event.preventDefault());
    host.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    store.on("tool brush", () => {
      this.host.dataset.tool = store.tool;
      this.ghostAt(null);
    });
  }

  /** @param {MouseEvent} event */
  spot(event) {
    const box = this.host.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  /** @param {{x: number, y: number}} spot @returns {[number, number]} */
  cell(spot) {
    const [x, y] = this.view.camera.toMap(spot.x, spot.y);
    return [Math.floor(x), Math.floor(y)];
  }

  /** @param {{x: number, y: number}} spot @param {boolean} coarse */
  unitAt(spot, coarse) {
    const [x, y] = this.view.camera.toMap(spot.x, spot.y);
    const reach = Math.max(0.6, (coarse ? 18 : 9) / this.view.camera.scale);
    return this.store.stage.pick(x, y, reach, performance.now());
  }

  /** @param {PointerEvent} event */
  down(event) {
    const spot = this.spot(event);
    this.host.focus({ preventScroll: true });
    this.host.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, spot);
    clearTimeout(this.holding);
    if (this.fingers.size === 2) {
      this.view.ink.box = null;
      this.doing = "pinch";
      return;
    }
    this.start = this.last = spot;
    const touch = event.pointerType === "touch";
    const tool = toolNamed(this.store.tool);
    if (event.button === 1 || (event.button === 0 && tool.name === "pan")) this.doing = "pan";
    else if (event.button === 2) this.doing = "order";
    else if (event.button !== 0) this.doing = "";
    else if (tool.paints !== "none") {
      this.doing = "paint";
      this.painted = "";
      this.paint(spot);
    } else {
      this.doing = "maybe";
      if (touch) this.holding = setTimeout(() => this.doing === "maybe" && this.beginBox(), HELD);
    }
    if (event.button === 1) event.preventDefault();
  }

  beginBox() {
    this.doing = "box";
    navigator.vibrate?.(12);
    this.view.ink.box = { x0: this.start.x, y0: this.start.y, x1: this.last.x, y1: this.last.y };
    this.view.ink.dirty = true;
  }

  /** @param {PointerEvent} event */
  move(event) {
    const spot = this.spot(event);
    const { camera, ink } = this.view;
    if (this.doing === "pinch") return this.pinch(event.pointerId, spot);
    if (event.pointerType !== "touch") this.ghostAt(spot);
    if (!this.doing) return;
    const dx = spot.x - this.last.x;
    const dy = spot.y - this.last.y;
    if (this.doing === "maybe" && Math.hypot(spot.x - this.start.x, spot.y - this.start.y) > STILL) {
      clearTimeout(this.holding);
      // A finger that moves at once pans the map; a mouse draws a box.
      if (event.pointerType === "touch") this.doing = "pan";
      else if (!this.orders.aiming) this.beginBox();
    }
    if (this.turning(spot, event.pointerType)) {
      ink.arrow = { x0: this.start.x, y0: this.start.y, x1: spot.x, y1: spot.y };
      ink.dirty = true;
    }
    if (this.doing === "pan") camera.pan(dx, dy);
    else if (this.doing === "paint") this.stroke(this.last, spot);
    else if (this.doing === "box") {
      ink.box = { x0: this.start.x, y0: this.start.y, x1: spot.x, y1: spot.y };
      ink.dirty = true;
    }
    this.last = spot;
  }

  /** Whether the press sets a facing. @param {{x: number, y: number}} spot @param {string} kind */
  turning(spot, kind) {
    const aims = this.doing === "order" || (this.doing === "maybe" && this.orders.aiming && kind !== "touch");
    const far = Math.hypot(spot.x - this.start.x, spot.y - this.start.y);
    return Boolean(aims) && this.orders.turns && (far > TURNED || this.view.ink.arrow !== null);
  }

  /** @param {number} id @param {{x: number, y: number}} spot */
  pinch(id, spot) {
    const before = [...this.fingers.values()];
    this.fingers.set(id, spot);
    const after = [...this.fingers.values()];
    if (before.length < 2) return;
    const gap = ([a, b]) => Math.max(8, Math.hypot(a.x - b.x, a.y - b.y));
    const middle = ([a, b]) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
    const [from, to] = [middle(before), middle(after)];
    this.view.camera.pan(to.x - from.x, to.y - from.y);
    this.view.camera.zoom(gap(after) / gap(before), to.x, to.y);
  }

  /** @param {PointerEvent} event @param {boolean} [cancelled] */
  up(event, cancelled = false) {
    const spot = this.spot(event);
    clearTimeout(this.holding);
    this.fingers.delete(event.pointerId);
    const { doing } = this;
    const turned = !cancelled && this.turning(spot, event.pointerType);
    this.view.ink.arrow = null;
    if (doing === "pinch") {
      if (!this.fingers.size) this.doing = "";
      return;
    }
    this.doing = "";
    const { ink } = this.view;
    const box = ink.box;
    ink.box = null;
    ink.dirty = true;
    if (cancelled) return;
    const touch = event.pointerType === "touch";
    const shift = event.shiftKey;
    if (doing === "box" && box) return this.selectBox(box, shift);
    if (turned) {
      const angle = Math.atan2(spot.y - this.start.y, spot.x - this.start.x);
      const facing = Math.round((angle / (Math.PI * 2)) * 65536) & 65535;
      const [x, y] = this.view.camera.toMap(this.start.x, this.start.y);
      return this.orders.aim({ x, y, unit: -1, shift, facing });
    }
    const [x, y] = this.view.camera.toMap(spot.x, spot.y);
    if (doing === "order") return this.orders.aim({ x, y, unit: this.unitAt(spot, touch), shift });
    if (doing !== "maybe") return;
    const unit = this.unitAt(spot, touch);
    if (this.orders.aiming) return this.orders.aim({ x, y, unit, shift });
    if (unit >= 0) return this.store.select([unit], shift ? "toggle" : "replace");
    // Touch has no right button: a press on the ground orders the selected units there.
    if (touch && this.store.selected.size) return this.orders.aim({ x, y, unit: -1, shift });
    if (!shift) this.store.select([]);
  }

  /** @param {{x0: number, y0: number, x1: number, y1: number}} box @param {boolean} shift */
  selectBox(box, shift) {
    const { camera } = this.view;
    const [x0, y0] = camera.toMap(Math.min(box.x0, box.x1), Math.min(box.y0, box.y1));
    const [x1, y1] = camera.toMap(Math.max(box.x0, box.x1), Math.max(box.y0, box.y1));
    this.store.select(this.store.stage.inside(x0, y0, x1, y1, performance.now()), shift ? "add" : "replace");
  }

  /** A double press selects all units of the same type and owner in view. @param {MouseEvent} event */
  sameKind(event) {
    const { stage } = this.store;
    const i = stage.indexOf(this.unitAt(this.spot(event), false));
    const frame = stage.frame;
    if (i < 0 || !frame || this.store.tool !== "select") return;
    const { x0, y0, x1, y1 } = this.view.camera.seen;
    const same = stage.inside(x0, y0, x1, y1, performance.now()).filter((id) => {
      const j = stage.indexOf(id);
      return frame.kind[j] === frame.kind[i] && frame.owner[j] === frame.owner[i];
    });
    this.store.select(same);
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    event.preventDefault();
    const spot = this.spot(event);
    const lines = event.deltaMode === 1 ? 16 : 1;
    this.view.camera.zoom(Math.exp(-event.deltaY * lines * 0.0015), spot.x, spot.y);
  }

  /** @param {{x: number, y: number} | null} spot */
  ghostAt(spot) {
    const { ink } = this.view;
    const tool = toolNamed(this.store.tool);
    const ghost = spot && tool.covers && this.store.source?.canCommand ? tool.covers(this.store, ...this.cell(spot))
      : null;
    if (!ghost && !ink.ghost) return;
    ink.ghost = ghost;
    ink.dirty = true;
  }

  /** Paints every cell along the stroke, so that quick strokes have no holes. */
  stroke(from, to) {
    if (toolNamed(this.store.tool).paints !== "stroke") return;
    const steps = Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / Math.max(2, this.view.camera.scale * 0.5));
    for (let i = 1; i <= steps; i++) {
      this.paint({ x: from.x + ((to.x - from.x) * i) / steps, y: from.y + ((to.y - from.y) * i) / steps });
    }
  }

  /** @param {{x: number, y: number}} spot */
  paint(spot) {
    const [x, y] = this.cell(spot);
    const { ground, source } = this.store;
    if (!ground || !source?.canCommand || x < 0 || y < 0 || x >= ground.w || y >= ground.h) return;
    if (this.painted === `${x},${y}`) return;
    this.painted = `${x},${y}`;
    const tool = toolNamed(this.store.tool);
    if (tool.sends) this.store.send(tool.sends(this.store, x, y));
  }
}
