// Reads the messages of PROTOCOL.md into the store. Nothing else in the page reads bytes.

/**
 * @import {Frame} from "./frame-interpolation.js"
 * @import {Hello, Overlay, Store} from "./store.js"
 */

/** Reads numbers one after another; going past the end throws a RangeError. */
class Reader {
  /** @param {ArrayBuffer} buffer @param {number} [at] @param {number} [end] */
  constructor(buffer, at = 0, end = buffer.byteLength) {
    this.buffer = buffer;
    this.view = new DataView(buffer, 0, end);
    this.at = at;
  }
  u8() { return this.view.getUint8(this.at++); }
  u16() { this.at += 2; return this.view.getUint16(this.at - 2, true); }
  u32() { this.at += 4; return this.view.getUint32(this.at - 4, true); }
  i32() { this.at += 4; return this.view.getInt32(this.at - 4, true); }
  /** Ticks: exact up to 2^53. */
  u64() { const low = this.u32(); return low + this.u32() * 4294967296; }
  hex() {
    const low = this.u32();
    return (this.u32().toString(16).padStart(8, "0") + low.toString(16).padStart(8, "0"));
  }
  /** @param {number} n */
  bytes(n) {
    if (this.at + n > this.view.byteLength) throw new RangeError("cut short");
    this.at += n;
    return new Uint8Array(this.buffer, this.at - n, n);
  }
  varint() {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.u8();
      value |= (byte & 127) << shift;
      if (byte < 128) return (value >>> 1) ^ -(value & 1);
    }
    throw new RangeError("a number is too long");
  }
  text(n) { return new TextDecoder().decode(this.bytes(n)); }
}

/** 16-bit values at any alignment. @param {Uint8Array} bytes */
const words = (bytes) => new Uint16Array(bytes.slice().buffer);
/** @param {ArrayBuffer} buffer @param {number} at */
const magic = (buffer, at) => String.fromCharCode(...new Uint8Array(buffer, at, 4));
const TURN = (Math.PI * 2) / 65536;

/** @param {number} n @returns {any} columns for n units */
function columns(n) {
  return {
    count: n, id: new Uint32Array(n), x: new Float32Array(n), y: new Float32Array(n), facing: new Float32Array(n),
    state: new Uint8Array(n), owner: new Uint8Array(n), group: new Uint16Array(n), kind: new Uint8Array(n),
  };
}

/** @param {Reader} from @returns {Frame} */
function readFrame(from) {
  from.at += 4;
  const flags = from.u32();
  const head = {
    paused: (flags & 1) !== 0, jump: (flags & 2) !== 0, tick: from.u64(), hash: from.hex(),
    micros: Array.from({ length: 8 }, () => from.u16() * 10), speed: from.u16(), hashAge: from.u16(),
  };
  const n = from.u32();
  if (from.at + n * 20 > from.view.byteLength) throw new RangeError("a frame is cut short");
  const frame = { ...head, ...columns(n) };
  for (let i = 0; i < n; i++) {
    frame.id[i] = from.u32();
    frame.x[i] = from.i32() / 1024;
    frame.y[i] = from.i32() / 1024;
    frame.facing[i] = from.u16() * TURN;
    frame.state[i] = from.u8();
    frame.owner[i] = from.u8();
    frame.group[i] = from.u16();
    frame.kind[i] = from.u8();
    from.at++;
  }
  return frame;
}

/** A frame from the previous one and a difference. @param {Reader} from @param {Frame} before */
function readDifference(from, before) {
  const tick = from.u64();
  const hash = from.hex();
  const hashAge = from.u16();
  from.at += 2;
  const n = from.u32();
  if (n !== before.count) throw new RangeError(`a difference of ${n} units to a frame of ${before.count}`);
  const frame = { ...before, ...columns(n), tick, hash, hashAge, jump: false };
  for (let i = 0; i < n; i++) frame.x[i] = before.x[i] + from.varint() / 64;
  for (let i = 0; i < n; i++) frame.y[i] = before.y[i] + from.varint() / 64;
  const notch = TURN * 256;
  for (let i = 0; i < n; i++) frame.facing[i] = ((Math.round(before.facing[i] / notch) + from.u8()) & 255) * notch;
  for (let i = 0; i < n; i++) frame.state[i] = before.state[i] ^ from.u8();
  for (let i = 0; i < n; i++) frame.group[i] = before.group[i] ^ from.u16();
  frame.id.set(before.id);
  frame.owner.set(before.owner);
  frame.kind.set(before.kind);
  return frame;
}

/** @param {Reader} from */
function readMap(from) {
  from.at += 8;
  const w = from.u32();
  const h = from.u32();
  return { w, h, terrain: from.bytes(w * h).slice(), built: from.bytes(w * h).slice() };
}

/** @param {Reader} from */
function readArea(from) {
  from.at += 8;
  const [x, y, w, h] = [from.u32(), from.u32(), from.u32(), from.u32()];
  return { x, y, w, h, terrain: from.bytes(w * h).slice(), built: from.bytes(w * h).slice() };
}

/** @param {Reader} from @param {Hello} hello @returns {Overlay | null} */
function readOverlay(from, hello) {
  from.at += 4;
  const info = hello.overlays[from.u32()];
  const kind = from.u32();
  // At lower resolution a value stands for several cells per side.
  const form = kind & 0xffff;
  const every = 2 ** (kind >>> 16);
  const tick = from.u64();
  const head = { form, every, tick, x: from.i32(), y: from.i32(), w: from.u32(), h: from.u32(), most: from.u32() };
  if (!info) return null;
  const overlay = { name: info.name, ...head };
  const size = overlay.w * overlay.h;
  if (form < 2) return { ...overlay, cells: words(from.bytes(size * 2)) };
  if (form === 2) return { ...overlay, cells: from.bytes(size).slice() };
  const count = from.u32();
  if (form === 4) {
    const marks = new Int32Array(from.bytes(count * 12).slice().buffer);
    return { ...overlay, marks };
  }
  const lines = [];
  for (let i = 0; i < count; i++) {
    const style = from.u32();
    const points = Float32Array.from(new Int32Array(from.bytes(from.u32() * 8).slice().buffer), (n) => n / 1024);
    lines.push({ style, points });
  }
  return { ...overlay, lines };
}

/** Passes a message from a source to the store. @param {Store} store @param {string | ArrayBuffer} message */
export function receive(store, message) {
  try {
    if (typeof message === "string") receiveText(store, JSON.parse(message));
    else receiveBytes(store, message);
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof SyntaxError)) throw error;
    store.toast(`A message could not be read: ${error.message}`, "bad");
  }
}

/** @param {Store} store @param {ArrayBuffer} buffer */
function receiveBytes(store, buffer) {
  const from = new Reader(buffer);
  switch (buffer.byteLength >= 4 ? magic(buffer, 0) : "") {
    case "WMF1": return store.setFrame(readFrame(from));
    case "WMM1": return store.setGround(readMap(from));
    case "WMA1": return store.setArea(readArea(from));
    case "WMO1": {
      const overlay = store.hello && readOverlay(from, store.hello);
      return overlay ? store.setOverlay(overlay) : undefined;
    }
    default: throw new RangeError("its kind is unknown");
  }
}

/** @param {Store} store @param {any} message */
function receiveText(store, message) {
  if (Number.isInteger(message?.id)) store.answered(message);
  switch (message?.is) {
    case "hello": return store.setHello(message);
    case "config": return store.setSettings(message.config);
    case "time":
      Object.assign(store.time, { playing: message.playing, speed: message.speed, snapshot: message.snapshot });
      return store.say("time");
    case "error": return store.toast(message.what, "bad");
    case "left-script": {
      const whom = message.units === 1 ? "1 unit follows" : `${message.units} units follow`;
      return store.toast(`${whom} your orders from now on: the scenario's script leaves them out`);
    }
    case "events": return store.addEvents(message.list.map((event) => ({ tick: message.tick, ...event })));
    case "unit":
      store.details = message;
      return store.say("details");
    case "snapshot":
      store.time.snapshot = message.tick;
      store.say("time");
      return store.toast(`Snapshot of tick ${message.tick}, ${Math.ceil(message.bytes / 1024)} KiB`, "good");
    case "compared": return store.say("compared", message);
    case "yaml": return store.say("yaml", message.text);
    case "replay": return store.say("replay", message);
    default: return store.say("answer", message);
  }
}

/**
 * A recording inside a replay page.
 * @typedef {{hello: any, map: ArrayBuffer, frames: {at: number, end: number, key: boolean}[],
 *   extras: {frame: number, area: ArrayBuffer | null, events: any}[], buffer: ArrayBuffer}} Recording
 */

/** @param {ArrayBuffer} buffer @returns {Recording} */
export function readRecording(buffer) {
  if (buffer.byteLength < 4 || magic(buffer, 0) !== "WMR1") throw new RangeError("not a recording of version 1");
  const from = new Reader(buffer, 4);
  const hello = JSON.parse(from.text(from.u32()));
  const map = from.bytes(from.u32()).slice().buffer;
  const frames = [];
  const extras = [];
  const count = from.u32();
  for (let i = 0; i < count; i++) {
    const kind = from.u8();
    const length = from.u32();
    const at = from.at;
    const body = from.bytes(length);
    if (kind < 2) frames.push({ at, end: at + length, key: kind === 0 });
    // An area belongs to the next frame, events to the previous one.
    else if (kind === 2) extras.push({ frame: frames.length, area: body.slice().buffer, events: null });
    else if (kind === 3) {
      extras.push({ frame: frames.length - 1, area: null, events: JSON.parse(new TextDecoder().decode(body)) });
    }
  }
  if (!frames.length || !frames[0].key) throw new RangeError("a recording without a first frame");
  return { hello, map, frames, extras, buffer };
}

/** One frame of a recording. @param {Recording} recording @param {number} i @param {Frame | null} before */
export function readRecorded(recording, i, before) {
  const { at, end, key } = recording.frames[i];
  const from = new Reader(recording.buffer, at, end);
  if (key) return readFrame(from);
  if (!before) throw new RangeError("a difference without a frame before it");
  return readDifference(from, before);
}
