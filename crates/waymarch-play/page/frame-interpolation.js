// Positions of units between two ticks, interpolated from the last two frames.

/**
 * One tick. Units are sorted by id.
 * @typedef {object} Frame
 * @property {number} tick
 * @property {string} hash  16 hexadecimal digits
 * @property {number} hashAge  ticks since the hash was computed
 * @property {boolean} jump  do not interpolate from the previous frame
 * @property {boolean} paused
 * @property {number} speed  in per cent
 * @property {number[]} micros  by `hello.timings`
 * @property {number} count
 * @property {Uint32Array} id
 * @property {Float32Array} x  in cells
 * @property {Float32Array} y
 * @property {Float32Array} facing  radians, 0 east, clockwise on the screen
 * @property {Uint8Array} state  bits as in PROTOCOL.md
 * @property {Uint8Array} owner
 * @property {Uint16Array} group
 * @property {Uint8Array} kind
 */

/** A unit that moved by more than 3 cells is not interpolated: it did not walk. */
const JUMP = 3;
/** Interpolation from one frame to the next takes at most 250 ms. */
const LONGEST = 250;

export class FrameInterpolation {
  constructor() {
    /** @type {Frame | null} */ this.frame = null;
    this.fromX = new Float32Array(0);
    this.fromY = new Float32Array(0);
    this.fromFacing = new Float32Array(0);
    /** Changes with every frame, for renderers that keep buffers. */
    this.version = 0;
    this.arrived = 0;
    this.span = 50;
  }

  /** Forgets all frames: another world follows. */
  clear() {
    this.frame = null;
    this.version++;
  }

  /** @param {Frame} frame @param {number} now  ms */
  push(frame, now) {
    const old = this.frame;
    const apart = now - this.arrived;
    // A smoothed estimate of when the next frame comes, so that late frames do not make units jump.
    this.span = Math.min(LONGEST, Math.max(8, this.span * 0.8 + Math.min(apart, LONGEST) * 0.2));
    const t = old ? this.progress(now) : 1;
    this.arrived = now;
    const n = frame.count;
    const fromX = new Float32Array(n);
    const fromY = new Float32Array(n);
    const fromFacing = new Float32Array(n);
    const jumps = frame.jump || (old !== null && frame.tick < old.tick);
    let j = 0;
    for (let i = 0; i < n; i++) {
      fromX[i] = frame.x[i];
      fromY[i] = frame.y[i];
      fromFacing[i] = frame.facing[i];
      if (!old || jumps) continue;
      while (j < old.count && old.id[j] < frame.id[i]) j++;
      if (j >= old.count || old.id[j] !== frame.id[i]) continue;
      const x = this.fromX[j] + (old.x[j] - this.fromX[j]) * t;
      const y = this.fromY[j] + (old.y[j] - this.fromY[j]) * t;
      if (Math.abs(x - frame.x[i]) > JUMP || Math.abs(y - frame.y[i]) > JUMP) continue;
      fromX[i] = x;
      fromY[i] = y;
      const turn = frame.facing[i] - old.facing[j];
      fromFacing[i] = frame.facing[i] - Math.atan2(Math.sin(turn), Math.cos(turn));
    }
    this.frame = frame;
    this.fromX = fromX;
    this.fromY = fromY;
    this.fromFacing = fromFacing;
    this.version++;
  }

  /** The progress from one frame to the next, 0 to 1. @param {number} now */
  progress(now) {
    return Math.min(1, (now - this.arrived) / this.span);
  }

  /** Whether units still move on the screen. @param {number} now */
  moving(now) {
    return this.frame !== null && now - this.arrived < this.span + 20;
  }

  /** The index of a unit in the frame, or -1. @param {number} id */
  indexOf(id) {
    const frame = this.frame;
    if (!frame) return -1;
    let low = 0;
    let high = frame.count - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      if (frame.id[middle] === id) return middle;
      if (frame.id[middle] < id) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /** The interpolated position of a unit, in cells. @param {number} i @param {number} t @returns {[number, number]} */
  at(i, t) {
    const frame = /** @type {Frame} */ (this.frame);
    return [this.fromX[i] + (frame.x[i] - this.fromX[i]) * t, this.fromY[i] + (frame.y[i] - this.fromY[i]) * t];
  }

  /**
   * The unit at a position, or -1: the nearest one within `reach` cells.
   * @param {number} x @param {number} y @param {number} reach @param {number} now
   */
  pick(x, y, reach, now) {
    const frame = this.frame;
    if (!frame) return -1;
    const t = this.progress(now);
    let best = -1;
    let least = reach * reach;
    for (let i = 0; i < frame.count; i++) {
      const [ux, uy] = this.at(i, t);
      const far = (ux - x) ** 2 + (uy - y) ** 2;
      if (far < least) {
        least = far;
        best = i;
      }
    }
    return best < 0 ? -1 : frame.id[best];
  }

  /**
   * Ids of the units in a rectangle.
   * @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1 @param {number} now
   */
  inside(x0, y0, x1, y1, now) {
    const frame = this.frame;
    const found = [];
    if (!frame) return found;
    const t = this.progress(now);
    for (let i = 0; i < frame.count; i++) {
      const [x, y] = this.at(i, t);
      if (x >= x0 && x <= x1 && y >= y0 && y <= y1) found.push(frame.id[i]);
    }
    return found;
  }
}
