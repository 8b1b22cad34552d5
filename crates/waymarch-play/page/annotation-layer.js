// The canvas above map and units: lines, marks, arrows, the selection box, the area that a tool will change.

import { FORM, LINES, MARKS } from "./overlays.js";

/**
 * @import {Camera} from "./camera.js"
 * @import {Overlay, Store} from "./store.js"
 */

/** Steps by direction, N clockwise. */
const STEPS = [[0, -1], [1, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1]];
/** With more than 60 lines, lines whose style allows it are drawn thin, so that they do not hide the map. */
const CROWD = 60;
/** With more than 2000 lines, all lines are thin, and marks are drawn pixel by pixel, because long paths are slow. */
const THRONG = 2000;
/** The mark of an order is shown for 700 ms. */
const FADE = 700;

export class AnnotationLayer {
  /** @param {HTMLCanvasElement} canvas @param {Store} store @param {Camera} camera */
  constructor(canvas, store, camera) {
    this.canvas = canvas;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    this.store = store;
    this.camera = camera;
    this.dirty = true;
    /** Overlays that do not move. They are drawn again only when they or the view change; moving things are drawn over them. */
    this.still = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
    /** The state they were drawn for. */ this.stillOf = "";
    this.stillDirty = true;
    /** In pixels. @type {{x0: number, y0: number, x1: number, y1: number} | null} */ this.box = null;
    /** The arrow for the facing of units, in pixels. @type {{x0: number, y0: number, x1: number, y1: number} | null} */ this.arrow = null;
    /**
     * The area that a tool covers, in cells.
     * @type {{x: number, y: number, w: number, h: number, round?: boolean, colour?: string} | null}
     */
    this.ghost = null;
    /** The stops so far of a patrol order. @type {[number, number][]} */ this.stops = [];
    /** @type {{x: number, y: number, colour: string, since: number}[]} */ this.flashes = [];
    /** How many marks of a search are shown. */ this.marksShown = Infinity;
    store.on("overlay shown ground hello area camera theme", () => (this.dirty = this.stillDirty = true));
    store.on("selection details frame", (detail) => {
      if (!detail?.tick || this.followsUnits()) this.dirty = true;
    });
  }

  /** Whether something drawn here moves with the units. */
  followsUnits() {
    return this.store.details !== null && this.store.selected.size > 0;
  }

  /** @param {number} x @param {number} y @param {string} colour */
  flash(x, y, colour) {
    this.flashes.push({ x, y, colour, since: performance.now() });
    this.dirty = true;
  }

  /** @param {number} now @param {number} dpr */
  draw(now, dpr) {
    if (!this.dirty && !this.flashes.length) return;
    this.dirty = false;
    const { context, canvas, camera, store } = this;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.setTransform(dpr, 0, 0, dpr, 0, 0);
    context.lineJoin = "round";
    context.lineCap = "round";
    const overlays = [...store.shown].flatMap((name) => store.overlays.get(name) ?? [])
      .filter(({ form }) => form >= FORM.arrows);
    let empty = !overlays.length;
    if (!empty) {
      this.drawStill(overlays, dpr);
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.drawImage(this.still.canvas, 0, 0);
      context.setTransform(dpr, 0, 0, dpr, 0, 0);
    }
    empty = this.details() && empty;
    if (this.stops.length) {
      empty = false;
      this.polyline(this.stops.flatMap(([x, y]) => [x + 0.5, y + 0.5]), LINES[1]);
      for (const [x, y] of this.stops) this.ring(x + 0.5, y + 0.5, 5, "#ffc857");
    }
    this.flashes = this.flashes.filter((flash) => now - flash.since < FADE);
    for (const { x, y, colour, since } of this.flashes) {
      const part = (now - since) / FADE;
      context.globalAlpha = 1 - part;
      this.ring(x, y, 4 + 12 * (1 - part), colour);
      context.globalAlpha = 1;
      this.dirty = true;
    }
    if (this.ghost) this.drawGhost(this.ghost);
    if (this.box) this.drawBox(this.box);
    if (this.arrow) this.drawArrow(this.arrow);
    // An empty canvas is hidden, so that the browser does not composite it.
    canvas.style.visibility = empty && !this.flashes.length && !this.ghost && !this.box && !this.arrow ? "hidden" : "visible";
  }

  /** Draws overlays, unless they are up to date. @param {Overlay[]} overlays @param {number} dpr */
  drawStill(overlays, dpr) {
    const { width, height } = this.canvas;
    const now = `${width} ${height} ${this.marksShown}`;
    if (!this.stillDirty && now === this.stillOf) return;
    this.stillDirty = false;
    this.stillOf = now;
    const { still, context } = this;
    still.canvas.width = width;
    still.canvas.height = height;
    still.setTransform(dpr, 0, 0, dpr, 0, 0);
    still.lineJoin = still.lineCap = "round";
    this.context = still;
    for (const overlay of overlays) {
      if (overlay.form === FORM.arrows) this.arrows(overlay);
      else if (overlay.form === FORM.lines) this.lines(overlay.lines ?? []);
      else this.marks(overlay.marks ?? new Int32Array(0));
    }
    this.context = context;
  }

  /** Draws the route and goal of the selected unit. */
  details() {
    const { details, selected } = this.store;
    if (!details || details.gone || !selected.has(details.unit)) return true;
    const i = this.store.stage.indexOf(details.unit);
    if (i >= 0 && details.route?.length) {
      const [x, y] = this.store.stage.at(i, 1);
      const points = [x, y, ...details.route.flat().map((n) => n / 1024)];
      this.polyline(points, LINES[details.temporary ? 1 : 0]);
    }
    if (details.goal) this.ring(details.goal[0] + 0.5, details.goal[1] + 0.5, 6, "#ff3d6e");
    return false;
  }

  /** @param {number} x  cells @param {number} y @param {number} radius  pixels @param {string} colour */
  ring(x, y, radius, colour) {
    const { context } = this;
    const [px, py] = this.camera.toScreen(x, y);
    context.strokeStyle = colour;
    context.lineWidth = 2;
    context.beginPath();
    context.arc(px, py, radius, 0, Math.PI * 2);
    context.stroke();
  }

  /** @param {ArrayLike<number>} points  x, y in cells @param {(typeof LINES)[number]} look */
  polyline(points, look) {
    const { context, camera } = this;
    const path = new Path2D();
    for (let i = 0; i + 1 < points.length; i += 2) {
      const [x, y] = camera.toScreen(points[i], points[i + 1]);
      if (i === 0) path.moveTo(x, y);
      else path.lineTo(x, y);
    }
    this.stroke(path, look);
  }

  /** @param {Path2D} path @param {(typeof LINES)[number]} look */
  stroke(path, look) {
    const { context } = this;
    if (look.under) {
      context.strokeStyle = look.under;
      context.lineWidth = look.width + 2;
      context.stroke(path);
    }
    context.setLineDash(look.dash ?? []);
    context.strokeStyle = look.colour;
    context.lineWidth = look.width;
    context.stroke(path);
    context.setLineDash([]);
  }

  /**
   * One path per class, so that thousands of lines need only a few strokes.
   * @param {{style: number, points: Float32Array}[]} lines
   */
  lines(lines) {
    const { camera } = this;
    /** @type {Path2D[]} */ const paths = [];
    for (const { style, points } of lines) {
      const path = (paths[style] ??= new Path2D());
      for (let i = 0; i + 1 < points.length; i += 2) {
        const [x, y] = camera.toScreen(points[i], points[i + 1]);
        if (i === 0) path.moveTo(x, y);
        else path.lineTo(x, y);
      }
    }
    const crowd = lines.length > CROWD;
    const throng = lines.length > THRONG;
    // At low zoom doors have no length; square line ends make them visible.
    this.context.lineCap = throng ? "square" : "round";
    paths.forEach((path, style) => {
      const look = LINES[style] ?? LINES[0];
      const thin = { ...look, width: 1, under: undefined, colour: `${look.colour.slice(0, 7)}80` };
      const bare = { ...look, width: lines.length > 10 * THRONG ? 1 : Math.min(look.width, 2), under: undefined };
      this.stroke(path, crowd && look.thins ? thin : throng ? bare : look);
    });
    this.context.lineCap = "round";
    this.ends(lines);
  }

  /** Marks at the ends of lines, one for each place. @param {{style: number, points: Float32Array}[]} lines */
  ends(lines) {
    /** @type {Map<string, {style: number, points: Float32Array}>} */ const places = new Map();
    for (const line of lines) {
      if (LINES[line.style]?.mark) places.set(`${line.style} ${line.points.slice(-2).join()}`, line);
    }
    const { context } = this;
    for (const { style, points } of places.values()) {
      const { colour, mark } = LINES[style];
      const [x, y] = points.slice(-2);
      const [px, py] = this.camera.toScreen(x, y);
      const circle = (radius, fill) => {
        context.beginPath();
        context.arc(px, py, radius, 0, Math.PI * 2);
        context.fillStyle = fill;
        context.fill();
      };
      circle(mark === "goal" ? 9 : 7, "#00000080");
      this.ring(x, y, mark === "goal" ? 7.5 : 5.5, colour);
      circle(mark === "goal" ? 4 : 2, colour);
    }
  }

  /** @param {Int32Array} marks */
  marks(marks) {
    const { context, camera } = this;
    const count = Math.min(marks.length / 3, this.marksShown);
    const s = camera.scale;
    const inset = s > 6 ? 0.5 : 0;
    const many = count > THRONG && s <= 6;
    if (many) this.markPixels(marks, count);
    for (let kind = 0; kind < MARKS.length; kind++) {
      const look = MARKS[kind];
      if (many && !look.ring) continue;
      const path = new Path2D();
      let any = false;
      for (let i = 0; i < count; i++) {
        if (marks[i * 3 + 2] !== kind) continue;
        const [x, y] = camera.toScreen(marks[i * 3], marks[i * 3 + 1]);
        if (x < -s || y < -s || x > camera.width || y > camera.height) continue;
        any = true;
        if (look.dot || look.ring) {
          const r = look.ring ? Math.max(5, s * 0.8) : Math.max(1.5, s * 0.3);
          path.moveTo(x + s / 2 + r, y + s / 2);
          path.arc(x + s / 2, y + s / 2, r, 0, Math.PI * 2);
        } else path.rect(x + inset, y + inset, s - 2 * inset, s - 2 * inset);
      }
      if (!any) continue;
      if (look.ring) {
        context.strokeStyle = look.colour;
        context.lineWidth = 2;
        context.stroke(path);
      } else {
        context.fillStyle = look.colour;
        context.fill(path);
      }
    }
  }

  /** Draws marks at low zoom, pixel by pixel; later classes cover earlier ones. @param {Int32Array} marks @param {number} count */
  markPixels(marks, count) {
    const { context, camera } = this;
    const image = new ImageData(Math.ceil(camera.width), Math.ceil(camera.height));
    const { width, height } = image;
    const pixels = new Uint32Array(image.data.buffer);
    const side = Math.max(1, Math.round(camera.scale));
    MARKS.forEach(({ colour, ring }, kind) => {
      if (ring) return;
      const part = (at) => parseInt(colour.slice(at, at + 2) || "ff", 16);
      const ink = ((part(7) << 24) | (part(5) << 16) | (part(3) << 8) | part(1)) >>> 0;
      for (let i = 0; i < count; i++) {
        if (marks[i * 3 + 2] !== kind) continue;
        const [x, y] = camera.toScreen(marks[i * 3], marks[i * 3 + 1]).map(Math.floor);
        for (let row = Math.max(0, y); row < Math.min(height, y + side); row++) {
          const end = row * width + Math.min(width, x + side);
          for (let at = row * width + Math.max(0, x); at < end; at++) pixels[at] = ink;
        }
      }
    });
    const sheet = document.createElement("canvas");
    sheet.width = width;
    sheet.height = height;
    sheet.getContext("2d")?.putImageData(image, 0, 0);
    context.drawImage(sheet, 0, 0, width, height);
  }

  /** @param {Overlay} overlay */
  arrows(overlay) {
    const { context, camera } = this;
    const cells = overlay.cells ?? new Uint8Array(0);
    const seen = camera.seen;
    // At low zoom one arrow stands for several cells.
    const { every: side } = overlay;
    const every = Math.max(1, Math.ceil(11 / camera.scale / side)) * side;
    const length = Math.min(camera.scale * every, 26) * 0.36;
    const shafts = new Path2D();
    const seenGoal = new Path2D();
    const goals = new Path2D();
    const first = (n) => Math.ceil(n / every) * every;
    const [right, bottom] = [overlay.x + overlay.w * side, overlay.y + overlay.h * side];
    for (let y = first(Math.max(seen.y0, overlay.y)); y < Math.min(seen.y1, bottom); y += every) {
      for (let x = first(Math.max(seen.x0, overlay.x)); x < Math.min(seen.x1, right); x += every) {
        const direction = cells[((y - overlay.y) / side) * overlay.w + (x - overlay.x) / side];
        if (direction === 255) continue;
        const [px, py] = camera.toScreen(x + side / 2, y + side / 2);
        if (direction === 9) seenGoal.rect(px - 1.5, py - 1.5, 3, 3);
        else if (direction > 7) goals.rect(px - 3, py - 3, 6, 6);
        else {
          const [sx, sy] = STEPS[direction];
          const l = sx && sy ? length * 0.8 : length;
          const [ex, ey] = [px + sx * l, py + sy * l];
          shafts.moveTo(px - sx * l, py - sy * l);
          shafts.lineTo(ex, ey);
          shafts.lineTo(ex - sx * l * 0.6 - sy * l * 0.5, ey - sy * l * 0.6 + sx * l * 0.5);
          shafts.moveTo(ex, ey);
          shafts.lineTo(ex - sx * l * 0.6 + sy * l * 0.5, ey - sy * l * 0.6 - sx * l * 0.5);
        }
      }
    }
    this.stroke(shafts, { colour: "#ffffffdd", width: 1.2, under: "#00000055", name: "" });
    context.fillStyle = "#ffe66d";
    context.fill(seenGoal);
    context.fillStyle = "#ff3d6e";
    context.fill(goals);
  }

  /** @param {{x: number, y: number, w: number, h: number, round?: boolean, colour?: string}} ghost */
  drawGhost(ghost) {
    const { context, camera } = this;
    const [x, y] = camera.toScreen(ghost.x, ghost.y);
    const [w, h] = [ghost.w * camera.scale, ghost.h * camera.scale];
    context.beginPath();
    if (ghost.round) context.ellipse(x + w / 2, y + h / 2, w / 2, h / 2, 0, 0, Math.PI * 2);
    else context.rect(x, y, w, h);
    context.fillStyle = `${ghost.colour ?? "#ffffff"}33`;
    context.fill();
    context.lineWidth = 1.5;
    context.strokeStyle = ghost.colour ?? "#ffffff";
    context.stroke();
  }

  /** @param {{x0: number, y0: number, x1: number, y1: number}} box */
  drawBox({ x0, y0, x1, y1 }) {
    const { context } = this;
    context.fillStyle = "#5aa9ff22";
    context.strokeStyle = "#5aa9ff";
    context.lineWidth = 1.5;
    context.fillRect(x0, y0, x1 - x0, y1 - y0);
    context.strokeRect(x0, y0, x1 - x0, y1 - y0);
  }

  /** @param {{x0: number, y0: number, x1: number, y1: number}} arrow */
  drawArrow({ x0, y0, x1, y1 }) {
    const far = Math.max(1, Math.hypot(x1 - x0, y1 - y0));
    const [ux, uy] = [(x1 - x0) / far, (y1 - y0) / far];
    const path = new Path2D();
    path.moveTo(x0, y0);
    path.lineTo(x1, y1);
    for (const side of [-1, 1]) {
      path.moveTo(x1, y1);
      path.lineTo(x1 - ux * 11 + uy * 7 * side, y1 - uy * 11 - ux * 7 * side);
    }
    path.moveTo(x0 + 4, y0);
    path.arc(x0, y0, 4, 0, Math.PI * 2);
    this.stroke(path, { colour: "#5dffb0", width: 2.4, under: "#00000088", name: "" });
  }
}
