// Sources of worlds: a server or a recording. The rest of the page only sends and gets messages.

import { readRecorded, readRecording, receive } from "./protocol.js";

/**
 * @import {Recording} from "./protocol.js"
 * @import {Frame} from "./frame-interpolation.js"
 * @import {Store} from "./store.js"
 */

/**
 * @typedef {object} Source
 * @property {"live" | "replay" | "mock"} kind
 * @property {boolean} canCommand  whether it accepts more than clock messages
 * @property {(message: object) => void} send
 */

/** A server, over a WebSocket. After a lost connection it reconnects with growing delays. */
export class LiveSource {
  /** @param {Store} store */
  constructor(store) {
    this.kind = /** @type {const} */ ("live");
    this.canCommand = true;
    this.store = store;
    this.wait = 250;
    this.connect();
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/ws`);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onopen = () => {
      this.wait = 250;
      this.store.setLink("open");
    };
    socket.onmessage = (event) => receive(this.store, event.data);
    socket.onclose = () => {
      this.store.setLink("lost");
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(4000, this.wait * 1.6);
    };
  }

  /** @param {object} message */
  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** Uploads a map file over HTTP, because it may be large. Every error names the file. @param {File} file */
  async upload(file) {
    const lost = () => {
      throw new Error(`${file.name}: the server does not answer: is \`waymarch play\` still running?`);
    };
    const answer = await fetch(`/map?name=${encodeURIComponent(file.name)}`, {
      method: "POST", body: file, headers: { "X-Waymarch": "1" },
    }).catch(lost);
    const result = await answer.json().catch(() => ({ error: `${file.name}: the server answered ${answer.status}` }));
    if (result.error) throw new Error(result.error);
  }
}

/** A recording inside the page. It only accepts clock messages, forwards and backwards. */
export class ReplaySource {
  /** @param {Store} store @param {string} base64 */
  static async open(store, base64) {
    const packed = Uint8Array.from(atob(base64.replace(/\s+/g, "")), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new ReplaySource(store, readRecording(await new Response(stream).arrayBuffer()));
  }

  /** @param {Store} store @param {Recording} recording */
  constructor(store, recording) {
    this.kind = /** @type {const} */ ("replay");
    this.canCommand = false;
    this.store = store;
    this.recording = recording;
    this.length = recording.frames.length;
    this.place = -1;
    /** @type {Frame | null} */ this.last = null;
    this.playing = true;
    this.speed = 100;
    this.owed = 0;
    this.then = performance.now();
  }

  /** Starts; called when the page listens. */
  start() {
    this.store.setLink("open");
    this.store.setHello(this.recording.hello);
    receive(this.store, this.recording.map);
    this.seek(0);
    this.tell();
    const turn = (now) => {
      this.advance(now);
      requestAnimationFrame(turn);
    };
    requestAnimationFrame(turn);
  }

  tell() {
    Object.assign(this.store.time, { playing: this.playing, speed: this.speed, snapshot: null });
    this.store.say("time");
  }

  /** @param {number} now */
  advance(now) {
    // The time of the first frame may lie before the start of the page.
    const passed = Math.min(250, Math.max(0, now - this.then));
    this.then = now;
    if (!this.playing) return;
    this.owed += (passed / 1000) * this.recording.hello.ticks_per_second * (this.speed / 100);
    const steps = Math.floor(this.owed);
    if (!steps) return;
    this.owed -= steps;
    if (this.place + steps >= this.length - 1) {
      this.playing = false;
      this.tell();
    }
    this.seek(this.place + steps);
  }

  /** Shows a frame, starting at the last key frame if needed; out of range, the first or the last frame. @param {number} place */
  seek(place) {
    const to = Math.max(0, Math.min(this.length - 1, Math.round(place)));
    const { frames, extras } = this.recording;
    const forward = to > this.place && this.last !== null;
    let from = to;
    while (from > 0 && !frames[from].key) from--;
    if (forward && this.place + 1 > from) from = this.place + 1;
    const jump = !forward || to - this.place > 20;
    let frame = from === this.place + 1 ? this.last : null;
    for (let i = from; i <= to; i++) frame = readRecorded(this.recording, i, frame);
    // Areas are not undone: going back starts again with the first map.
    if (!forward) receive(this.store, this.recording.map);
    const events = [];
    for (const extra of extras) {
      if (extra.frame > to || (forward && extra.frame <= this.place)) continue;
      if (extra.area) receive(this.store, extra.area);
      else if (forward) events.push(extra.events);
    }
    this.place = to;
    this.last = frame;
    if (frame) this.store.setFrame({ ...frame, jump, paused: !this.playing, speed: this.speed });
    for (const message of events) receive(this.store, JSON.stringify(message));
    this.store.say("place", { place: to, length: this.length });
  }

  /** @param {any} message */
  send(message) {
    if (message.do !== "time") return;
    if (message.speed) this.speed = message.speed;
    if (message.set === "play") {
      if (this.place >= this.length - 1) this.seek(0);
      this.playing = true;
    } else if (message.set) {
      this.playing = false;
      if (message.set === "step") this.seek(this.place + 1);
    }
    this.tell();
  }
}
