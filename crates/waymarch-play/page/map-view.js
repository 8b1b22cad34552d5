// The map view: three canvases on top of each other (terrain, units, annotations), each drawn only when it changes.

import { Camera } from "./camera.js";
import { TerrainLayer } from "./terrain-layer.js";
import { AnnotationLayer } from "./annotation-layer.js";
import { FORM, GridPictures } from "./overlays.js";
import { Units2d } from "./units-2d.js";
import { UnitsGl } from "./units-gl.js";

/** @import {Ground, Store} from "./store.js" */

/** The view moves by 900 pixels per second while a key is held. */
const GLIDE = 900;

export class MapView {
  /** @param {Store} store @param {HTMLElement} host  what it fills */
  constructor(store, host) {
    this.store = store;
    this.host = host;
    this.camera = new Camera();
    const canvas = (name) => /** @type {HTMLCanvasElement} */ (host.querySelector(`canvas.${name}`));
    this.ground = canvas("ground");
    this.groundContext = /** @type {CanvasRenderingContext2D} */ (this.ground.getContext("2d", { alpha: false }));
    this.unitsCanvas = canvas("units");
    const wish = new URLSearchParams(location.search).get("renderer");
    this.units = (wish === "2d" ? null : UnitsGl.open(this.unitsCanvas, wish === "gl" ? "any" : "card"))
      ?? new Units2d(this.unitsCanvas);
    this.ink = new AnnotationLayer(canvas("ink"), store, this.camera);
    this.picture = new TerrainLayer(store);
    this.grids = new GridPictures();
    /** The direction in which keys move the view. */ this.glide = { x: 0, y: 0 };
    /** The versions that were drawn last. */ this.drawn = { camera: -1, picture: -1 };
    this.groundDirty = true;
    this.unitsDirty = true;
    this.then = performance.now();
    this.dpr = 1;
    this.colours = { back: "#20262e", veil: "" };
    /** Times (ms) of the last frames, for measurements. */ this.frameTimes = new Float32Array(120);
    this.frames = 0;
    store.on("ground", ({ fit }) => {
      const ground = /** @type {Ground} */ (store.ground);
      this.camera.setMap(ground.w, ground.h);
      if (fit) this.camera.fit();
      this.groundDirty = true;
    });
    store.on("overlay shown hello", () => (this.groundDirty = true));
    store.on("selection frame", () => (this.unitsDirty = true));
    store.on("theme", () => this.readColours());
    new ResizeObserver(() => this.resize()).observe(host);
    this.readColours();
    this.resize();
    requestAnimationFrame((now) => this.turn(now));
  }

  readColours() {
    const dark = document.documentElement.dataset.theme === "dark";
    this.colours = { back: getComputedStyle(this.host).backgroundColor, veil: dark ? "rgb(12 17 25 / 0.4)" : "" };
    this.groundDirty = this.unitsDirty = this.ink.dirty = true;
  }

  resize() {
    this.dpr = Math.min(2, window.devicePixelRatio || 1);
    const { clientWidth: width, clientHeight: height } = this.host;
    const fresh = this.camera.width <= 1;
    for (const canvas of [this.ground, this.unitsCanvas, this.ink.canvas]) {
      canvas.width = Math.max(1, Math.round(width * this.dpr));
      canvas.height = Math.max(1, Math.round(height * this.dpr));
    }
    this.camera.resize(width, height);
    if (fresh) this.camera.fit();
    this.groundDirty = this.unitsDirty = this.ink.dirty = true;
  }

  /** @param {number} now */
  turn(now) {
    const passed = now - this.then;
    this.then = now;
    this.frameTimes[this.frames++ % this.frameTimes.length] = passed;
    if (this.glide.x || this.glide.y) {
      const far = (GLIDE * Math.min(passed, 50)) / 1000;
      this.camera.pan(-this.glide.x * far, -this.glide.y * far);
    }
    const moved = this.camera.version !== this.drawn.camera;
    if (moved) {
      this.drawn.camera = this.camera.version;
      this.store.say("camera");
    }
    if (moved || this.groundDirty || this.picture.version !== this.drawn.picture) this.drawGround();
    if (moved || this.unitsDirty || this.store.stage.moving(performance.now())) {
      this.unitsDirty = false;
      const t = this.store.stage.progress(performance.now());
      this.units.draw(this.store, this.camera, { t, dpr: this.dpr });
    }
    this.ink.draw(performance.now(), this.dpr);
    requestAnimationFrame((then) => this.turn(then));
  }

  drawGround() {
    const { groundContext: context, camera, store } = this;
    this.drawn.picture = this.picture.version;
    context.setTransform(this.dpr, 0, 0, this.dpr, 0, 0);
    context.fillStyle = this.colours.back;
    context.fillRect(0, 0, camera.width, camera.height);
    this.groundDirty = this.picture.draw(context, camera);
    const ground = store.ground;
    if (!ground) return;
    const [left, top] = camera.toScreen(0, 0);
    if (this.colours.veil) {
      context.fillStyle = this.colours.veil;
      context.fillRect(left, top, ground.w * camera.scale, ground.h * camera.scale);
    }
    context.imageSmoothingEnabled = false;
    context.save();
    // The last value of a row may cover cells beyond the map.
    context.beginPath();
    context.rect(left, top, ground.w * camera.scale, ground.h * camera.scale);
    context.clip();
    for (const name of store.shown) {
      const overlay = store.overlays.get(name);
      if (!overlay || overlay.form > FORM.areas) continue;
      const [x, y] = camera.toScreen(overlay.x, overlay.y);
      const side = overlay.every * camera.scale;
      context.drawImage(this.grids.of(overlay), x, y, overlay.w * side, overlay.h * side);
    }
    context.restore();
  }

  /** Frames per second over about the last two seconds. */
  get fps() {
    const n = Math.min(this.frames, this.frameTimes.length);
    let sum = 0;
    for (let i = 0; i < n; i++) sum += this.frameTimes[i];
    return sum ? (n * 1000) / sum : 0;
  }
}
