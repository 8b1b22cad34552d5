// The state of the page. Views and panels read it here and listen to named changes.

import { FrameInterpolation } from "./frame-interpolation.js";

/**
 * @import {Source} from "./world-sources.js"
 * @import {Frame} from "./frame-interpolation.js"
 */

/**
 * What a source says about its world at the start: the `hello` message of PROTOCOL.md.
 * @typedef {object} Hello
 * @property {string} name
 * @property {string} about
 * @property {number} width
 * @property {number} height
 * @property {number} ticks_per_second
 * @property {{name: string, colour: string}[]} terrains
 * @property {{name: string, locomotor: string, size: number, radius: number, speed: number}[]} types
 * @property {{name: string, width: number, height: number, cells: string}[]} stamps
 * @property {{name: string, about: string}[]} scenarios
 * @property {string[]} maps
 * @property {string | null} scenario
 * @property {boolean} [script]  whether the scenario gives orders later
 * @property {string[]} [uploads]  endings of the map files that the server reads
 * @property {{name: string, about: string, of?: string}[]} timings
 * @property {Setting[]} config
 * @property {OverlayInfo[]} overlays
 * @property {{units: number, spawn: number, brush: number, upload: number}} limits
 * @property {string[]} [shows]  overlays that are on from the start
 * @property {string[]} [formations]  formations of groups; missing if there are no groups
 *
 * @typedef {{key: string, section: string, about: string, range: string, value: string, default: string}} Setting
 * @typedef {{name: string, title: string, about: string, form: number, needs: string}} OverlayInfo
 * @typedef {{w: number, h: number, terrain: Uint8Array, built: Uint8Array}} Ground
 * @typedef {{name: string, form: number, every: number, tick: number, x: number, y: number, w: number, h: number,
 *   most: number, cells?: Uint8Array | Uint16Array, lines?: {style: number, points: Float32Array}[], marks?: Int32Array}} Overlay
 *   `every`: cells per side that a value stands for; `w`, `h`: values per side; `marks`: x, y and class of each, in order
 */

/** The values of `Ground.built`. */
export const BUILT = { none: 0, blocked: 1, pass: 2, gateClosed: 3, gateOpen: 4, wall: 5, bridge: 6 };

/** The log keeps 400 events. */
const LOG = 400;

export class Store extends EventTarget {
  constructor() {
    super();
    /** @type {Hello | null} */ this.hello = null;
    /** @type {Ground | null} */ this.ground = null;
    /** Units of the last two frames. */ this.stage = new FrameInterpolation();
    /** @type {Set<number>} */ this.selected = new Set();
    /** @type {Map<string, number[]>} */ this.ctrlGroups = new Map();
    /** Names of overlays that are on; the orders of the selection from the start. @type {Set<string>} */ this.shown = new Set(["orders"]);
    /** Overlays that the world switched on, not the user. @type {Set<string>} */ this.shownFor = new Set();
    /** The last data of each overlay. @type {Map<string, Overlay>} */ this.overlays = new Map();
    /**
     * Speed in per cent; the tick of the snapshot.
     * @type {{playing: boolean, speed: number, snapshot: number | null}}
     */
    this.time = { playing: false, speed: 100, snapshot: null };
    /** @type {{tick: number, unit: number, what: string, text: string}[]} */ this.log = [];
    /** The last details of the selected unit. @type {any} */ this.details = null;
    /** @type {"connecting"|"open"|"lost"} */ this.link = "connecting";
    /** @type {Source | null} */ this.source = null;
    this.tool = "select";
    this.brush = { size: 1, terrain: 0, stamp: 0, kind: 0, count: 50, owner: 0, strength: 60, radius: 8 };
    /** The id of the last message that waits for an answer, and what to do with answers. */ this.asked = 0;
    /** @type {Map<number, (answer: any) => void>} */ this.waiting = new Map();
    /** The formation for new orders; "" means the one in the settings. */ this.formation = "";
    /** The unit type that overlays are drawn for. */ this.overlayKind = 0;
  }

  /** Notifies listeners. @param {string} what @param {any} [detail] */
  say(what, detail) {
    this.dispatchEvent(new CustomEvent(what, { detail }));
  }

  /** @param {string} names  one or several, with spaces between @param {(detail: any) => void} then */
  on(names, then) {
    for (const name of names.split(" ")) this.addEventListener(name,
      (event) => then(/** @type {CustomEvent} */ (event).detail));
  }

  /** @param {object} message */
  send(message) {
    this.source?.send(message);
  }

  /** Sends a message, and calls `then` with its answer. @param {object} message @param {(answer: any) => void} then */
  ask(message, then) {
    const id = ++this.asked;
    this.waiting.set(id, then);
    this.send({ ...message, id });
  }

  /** An answer has come. @param {any} answer */
  answered(answer) {
    const then = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    then?.(answer);
  }

  /** @param {Iterable<number>} ids @param {"replace"|"add"|"toggle"} how */
  select(ids, how = "replace") {
    const chosen = how === "replace" ? new Set() : new Set(this.selected);
    for (const id of ids) {
      if (how === "toggle" && chosen.has(id)) chosen.delete(id);
      else chosen.add(id);
    }
    this.selected = chosen;
    this.say("selection");
  }

  /** @param {string} name @param {boolean} on */
  show(name, on) {
    this.shownFor.delete(name);
    if (on) this.shown.add(name);
    else {
      this.shown.delete(name);
      this.overlays.delete(name);
    }
    this.say("shown", name);
  }

  /** @param {object} change */
  setBrush(change) {
    Object.assign(this.brush, change);
    this.say("brush");
  }

  /** @param {string} name */
  setTool(name) {
    if (this.tool === name) return;
    this.tool = name;
    this.say("tool", name);
  }

  /** @param {string} name */
  setFormation(name) {
    this.formation = name;
    this.say("formation", name);
  }

  /** Shows a short message to the user. @param {string} text @param {"info"|"good"|"bad"} [tone] */
  toast(text, tone = "info") {
    this.say("toast", { text, tone });
  }

  /** @param {Hello} hello */
  setHello(hello) {
    this.hello = hello;
    const known = new Set(hello.overlays.map((overlay) => overlay.name));
    for (const name of this.shown) if (!known.has(name)) this.shown.delete(name);
    for (const name of this.shownFor) {
      if (this.shown.delete(name)) this.send({ do: "overlay", name, on: false });
    }
    this.shownFor = new Set((hello.shows ?? []).filter((name) => known.has(name) && !this.shown.has(name)));
    for (const name of this.shownFor) this.shown.add(name);
    // What the last world had more of is not chosen any more.
    const { brush } = this;
    if (brush.kind >= hello.types.length) brush.kind = 0;
    if (brush.terrain >= hello.terrains.length) brush.terrain = 0;
    if (brush.stamp >= hello.stamps.length) brush.stamp = 0;
    this.overlays.clear();
    this.details = null;
    // Indices of units of the last world mean nothing in this one.
    this.stage.clear();
    this.log.length = 0;
    this.select([]);
    this.say("hello");
  }

  /** Settings have changed. @param {Setting[]} config */
  setSettings(config) {
    if (this.hello) this.hello.config = config;
    this.say("settings");
  }

  /** A whole map. @param {Ground} ground */
  setGround(ground) {
    const same = this.ground && this.ground.w === ground.w && this.ground.h === ground.h;
    this.ground = ground;
    this.say("ground", { fit: !same });
  }

  /** Some cells changed. @param {{x: number, y: number} & Ground} area */
  setArea(area) {
    const ground = this.ground;
    if (!ground || area.x + area.w > ground.w || area.y + area.h > ground.h) return;
    for (let row = 0; row < area.h; row++) {
      const at = (area.y + row) * ground.w + area.x;
      ground.terrain.set(area.terrain.subarray(row * area.w, (row + 1) * area.w), at);
      ground.built.set(area.built.subarray(row * area.w, (row + 1) * area.w), at);
    }
    this.say("area", area);
  }

  /** @param {Frame} frame */
  setFrame(frame) {
    this.stage.push(frame, performance.now());
    if (this.selected.size) this.forgetTheGone();
    this.say("frame", frame);
  }

  /** @param {Overlay} overlay */
  setOverlay(overlay) {
    if (!this.shown.has(overlay.name)) return;
    this.overlays.set(overlay.name, overlay);
    this.say("overlay", overlay.name);
  }

  /** @param {{tick: number, unit: number, what: string, text: string}[]} list */
  addEvents(list) {
    this.log.push(...list);
    if (this.log.length > LOG) this.log.splice(0, this.log.length - LOG);
    this.say("log", list);
  }

  /** @param {"connecting"|"open"|"lost"} link */
  setLink(link) {
    if (this.link === link) return;
    this.link = link;
    // Answers to messages of a lost connection never come.
    if (link !== "open") this.waiting.clear();
    this.say("link");
  }

  /** Deselects units that no longer exist. */
  forgetTheGone() {
    const before = this.selected.size;
    for (const id of this.selected) if (this.stage.indexOf(id) < 0) this.selected.delete(id);
    if (this.selected.size !== before) this.say("selection");
  }
}
