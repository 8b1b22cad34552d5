// The bar at the bottom: time per tick by layer, state hash, frames per second; for recordings, a slider through time.

import { h, thousands } from "./dom.js";

/**
 * @import {ReplaySource} from "./world-sources.js"
 * @import {Store} from "./store.js"
 * @import {MapView} from "./map-view.js"
 */

/** The chart has 100 ticks. */
const HISTORY = 100;
/** Drawn at most every 150 ms. */
const EVERY = 150;
const COLOURS = ["#3f8efc", "#35b779", "#f2a93b", "#ef5b5b", "#a06cd5", "#2fc4c4", "#e377c2", "#9aa5b1"];

/**
 * The times of one tick as a stack. A part is drawn inside its whole and never counted twice.
 * @param {number[]} micros @param {{name: string, of?: string}[]} timings
 * @returns {{sum: number, own: number[]}}  `own`: without its parts
 */
export function stack(micros, timings) {
  const own = timings.map((_, i) => micros[i] ?? 0);
  let sum = 0;
  timings.forEach(({ of }, i) => {
    const whole = of ? timings.findIndex(({ name }) => name === of) : -1;
    if (whole >= 0) own[whole] = Math.max(0, own[whole] - micros[i]);
    else sum += micros[i];
  });
  return { sum, own };
}

/** @param {HTMLElement} host @param {Store} store @param {MapView} view */
export function buildStatusBar(host, store, view) {
  const canvas = h("canvas", { width: 400, height: 56, role: "img", "aria-label": "Time per tick" });
  const layers = h("span", { class: "layers" });
  const total = h("span", { class: "mono", id: "ms" });
  const hash = h("span", { class: "mono", id: "hash", title: "State hash: equal on every machine" });
  const figures = h("span", { class: "mono quiet", id: "fps" });
  const replay = store.source?.kind === "replay";
  if (replay) host.append(scrub(store), hash, figures);
  else host.append(canvas, total, layers, h("span", { class: "gap" }), hash, figures);

  /** @type {number[][]} */ const past = [];
  store.on("hello", () => {
    past.length = 0;
    total.textContent = total.title = "";
    layers.replaceChildren(...(store.hello?.timings ?? []).map((timing, i) => {
      const swatch = h("i");
      swatch.style.background = COLOURS[i];
      return h("span", { class: "layer", title: timing.about }, swatch, timing.name, h("b", { class: "mono" }, "0"));
    }));
  });
  store.on("frame", (frame) => {
    past.push(frame.micros);
    if (past.length > HISTORY) past.shift();
  });

  const draw = () => {
    const frame = store.stage.frame;
    if (!frame) return;
    hash.textContent = frame.hashAge ? `${frame.hash} −${frame.hashAge}` : frame.hash;
    hash.title = `State hash${frame.hashAge ? `, ${frame.hashAge} ticks old` : ""}: equal on every machine`;
    figures.textContent = `${thousands(frame.count)} ${frame.count === 1 ? "unit" : "units"} · ${Math.round(view.fps)} fps`;
    if (replay) return;
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    const timings = store.hello?.timings ?? [];
    const stacks = past.map((micros) => stack(micros, timings));
    const sums = stacks.map(({ sum }) => sum);
    const most = Math.max(500, ...sums);
    context.clearRect(0, 0, canvas.width, canvas.height);
    const wide = canvas.width / HISTORY;
    stacks.forEach(({ own }, i) => {
      let top = canvas.height;
      own.forEach((n, layer) => {
        const high = (n / most) * (canvas.height - 2);
        context.fillStyle = COLOURS[layer];
        context.fillRect((HISTORY - past.length + i) * wide, top - high, wide - 1, high);
        top -= high;
      });
    });
    const mean = (values) => values.reduce((sum, n) => sum + n, 0) / Math.max(1, values.length) / 1000;
    const all = timings.findIndex(({ name }) => name === "tick");
    total.textContent = `${mean(all < 0 ? sums : past.map((micros) => micros[all])).toFixed(2)} ms/tick`;
    total.title = `mean of ${past.length} ticks; the tallest is ${(most / 1000).toFixed(2)} ms`;
    [...layers.children].forEach((layer, i) =>
      (layer.lastChild.textContent = mean(past.map((micros) => micros[i])).toFixed(2)));
  };
  setInterval(draw, EVERY);
}

/** @param {Store} store */
function scrub(store) {
  const source = /** @type {ReplaySource} */ (store.source);
  const slider = h("input", {
    type: "range", id: "scrub", min: 0, max: source.length - 1, value: 0, "aria-label": "Position in the recording",
    oninput: () => {
      source.send({ do: "time", set: "pause" });
      source.seek(Number(slider.value));
    },
  });
  const text = h("span", { class: "mono quiet" });
  store.on("place", ({ place, length }) => {
    slider.value = String(place);
    const seconds = (n) => (n / (store.hello?.ticks_per_second ?? 20)).toFixed(1);
    text.textContent = `${seconds(place)} / ${seconds(length - 1)} s`;
  });
  return h("span", { class: "scrub" }, slider, text);
}
