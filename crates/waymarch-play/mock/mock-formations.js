// Formation slots of the mock world. Nothing of the engine is in it.

/** Names as in `hello.formations`. */
export const SHAPES = ["adaptive", "relative", "box", "line", "column", "wedge", "circle", "scatter", "hex"];

/** Rows of units, one behind the other, as [across, behind]. @param {number} count @param {number} wide */
const rows = (count, wide) => Array.from({ length: count }, (_, i) => {
  const row = Math.floor(i / wide);
  const inRow = Math.min(wide, count - row * wide);
  return [(i % wide) - (inRow - 1) / 2, row];
});

/** Slots by number as [across, behind]. @type {Record<string, (count: number) => number[][]>} */
const PLACES = {
  box: (count) => rows(count, Math.ceil(Math.sqrt(count))),
  line: (count) => rows(count, Math.min(count, 40)),
  column: (count) => rows(count, Math.max(1, Math.ceil(count / 40))),
  wedge: (count) => {
    const out = [];
    for (let row = 0; out.length < count; row++) {
      for (let i = 0; i <= row && out.length < count; i++) out.push([i * 2 - row, row]);
    }
    return out;
  },
  circle: (count) => Array.from({ length: count }, (_, i) => {
    const turn = (i / count) * Math.PI * 2;
    const far = Math.max(1, count / (Math.PI * 2));
    return [Math.sin(turn) * far, far - Math.cos(turn) * far];
  }),
  // The golden angle spreads any number evenly.
  scatter: (count) => Array.from({ length: count }, (_, i) => {
    const far = 1.6 * Math.sqrt(i);
    return [Math.cos(i * 2.39996) * far, Math.sin(i * 2.39996) * far];
  }),
  hex: (count) => rows(count, Math.ceil(Math.sqrt(count))).map(([x, y]) => [x + (y % 2) / 2, y * 0.87]),
};

/**
 * The slots of units, in the order of the units.
 * @param {string} shape @param {{x: number, y: number}[]} units @param {[number, number]} goal  in cells
 * @returns {[number, number][]}
 */
export function slots(shape, units, [gx, gy]) {
  const count = Math.max(1, units.length);
  const cx = units.reduce((sum, unit) => sum + unit.x, 0) / count;
  const cy = units.reduce((sum, unit) => sum + unit.y, 0) / count;
  if (shape === "relative") return units.map(({ x, y }) => [gx + x - cx, gy + y - cy]);
  const far = Math.hypot(gx - cx, gy - cy) || 1;
  const [fx, fy] = [(gx - cx) / far, (gy - cy) / far];
  const places = (PLACES[shape] ?? PLACES.hex)(units.length);
  const depth = places.reduce((most, [, behind]) => Math.max(most, behind), 0) / 2;
  return places.map(([across, behind]) => [gx - fy * across - fx * (behind - depth),
    gy + fx * across - fy * (behind - depth)]);
}
