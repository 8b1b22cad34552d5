// The tuning page: every setting of the engine with its range and meaning.

import { download, h } from "./dom.js";

/**
 * @import {PageBuilder} from "./panel.js"
 * @import {Setting, Store} from "./store.js"
 */

/**
 * The control for a setting, derived from its range: a number between two limits, one of several words, or a text.
 * @param {Setting} setting
 * @returns {{kind: "number", min: number, max: number, step: number} | {kind: "choice", of: string[]} | {kind: "text"}}
 */
export function controlFor(setting) {
  const range = setting.range.trim().replace(/(\d)_(?=\d)/g, "$1");
  if (/^(true|false)$/.test(setting.default)) return { kind: "choice", of: ["true", "false"] };
  const ends = /(-?\d+(?:\.\d+)?)\s*(?:\.\.=?|to|…|–)\s*(-?\d+(?:\.\d+)?)/.exec(range);
  const value = Number(setting.value);
  if (ends && Number.isFinite(value)) {
    const [min, max] = [Number(ends[1]), Number(ends[2])];
    const whole = !/\./.test(ends[1] + ends[2] + setting.default);
    return { kind: "number", min, max, step: whole ? 1 : 0.01 };
  }
  const words = range.replace(/^one of:?\s*/i, "").split(/\s*(?:\||,|\bor\b)\s*/).filter(Boolean);
  if (words.length > 1 && words.length < 12 && words.every((word) => /^[\w-]+$/.test(word))
    && words.includes(setting.value)) {
    return { kind: "choice", of: words };
  }
  return { kind: "text" };
}

/** @type {PageBuilder} */
export function tuningPage(host, store) {
  const filter = h("input", { type: "search", placeholder: "Find a setting", "aria-label": "Find a setting",
    oninput: () => sift() });
  const list = h("div");
  host.append(
    h("p", { class: "quiet" }, "A change takes effect at the next tick. The game continues, and the change is recorded."),
    h("div", { class: "row" },
      h("button", { type: "button", class: "button solid", id: "reset", onclick: () => store.send({ do: "reset" }) },
        "Reset all"),
      h("button", { type: "button", class: "button solid", id: "yaml", onclick: () => store.send({ do: "yaml" }) },
        "Export YAML")),
    h("div", { class: "filter" }, filter),
    list,
  );
  const sift = () => {
    const wish = filter.value.trim().toLowerCase();
    for (const row of list.querySelectorAll(".setting")) row.hidden = wish !== "" && !row.dataset.words.includes(wish);
    for (const part of list.children) part.hidden = !part.querySelector(".setting:not([hidden])");
  };
  const draw = () => {
    const settings = store.hello?.config ?? [];
    const sections = [...new Set(settings.map((setting) => setting.section))];
    list.replaceChildren(...sections.map((section) => h("section", {}, h("h2", {}, section || "General"),
      settings.filter((setting) => setting.section === section).map((setting) => row(store, setting)))));
    sift();
  };
  store.on("hello", draw);
  store.on("settings", draw);
  store.on("yaml", (text) => download("waymarch.yaml", text, "text/yaml"));
}

/** A name that may be broken after underscores only. @param {string} name */
const broken = (name) => name.split(/(?<=_)/).flatMap((word) => [word, h("wbr")]);

/** @param {Store} store @param {Setting} setting */
function row(store, setting) {
  /** Shows a value in the controls. */
  let show = (value) => {};
  // The box shows what counts: a refused value does not stay in it.
  const set = (value) => {
    if (String(value) === setting.value) return show(setting.value);
    store.ask({ do: "config", key: setting.key, value: String(value) },
      (answer) => answer.is === "error" && show(setting.value));
  };
  const control = controlFor(setting);
  const id = `setting-${setting.key}`;
  const parts = [];
  if (control.kind === "choice") {
    const select = h("select", { id, onchange: () => set(select.value) },
      control.of.map((word) => h("option", { value: word }, word)));
    show = (value) => (select.value = value);
    show(setting.value);
    parts.push(select);
  } else if (control.kind === "number") {
    const { min, max, step } = control;
    const number = h("input", { type: "number", id, min, max, step, value: setting.value,
      onchange: () => set(number.value) });
    // Wide ranges have a logarithmic slider.
    const wide = min >= 0 && max - min > 2000;
    const to = (v) => (wide ? Math.log1p(v - min) / Math.log1p(max - min) : (v - min) / (max - min || 1));
    const from = (p) =>
      Math.round((wide ? min + Math.expm1(p * Math.log1p(max - min)) : min + p * (max - min)) / step) * step;
    const slider = h("input", {
      type: "range", min: 0, max: 1, step: 0.001, value: to(Number(setting.value)), "aria-label": setting.key,
      tabIndex: -1,
      oninput: () => (number.value = String(Number(from(Number(slider.value)).toFixed(2)))),
      onchange: () => set(number.value),
    });
    show = (value) => {
      number.value = value;
      slider.value = String(to(Number(value)));
    };
    parts.push(slider, number);
  } else {
    const text = h("input", { type: "text", id, value: setting.value, onchange: () => set(text.value) });
    show = (value) => (text.value = value);
    parts.push(text);
  }
  const changed = setting.value !== setting.default;
  if (changed) parts.push(h("button",
    { type: "button", class: "button", title: `Back to ${setting.default}`,
    "aria-label": `${setting.key}: back to ${setting.default}`, onclick: () => set(setting.default) }, "↺"));
  return h("div", { class: `setting ${changed ? "changed" : ""}`,
    "data-words": `${setting.key} ${setting.about}`.toLowerCase() },
    h("div", { class: "top" }, h("label", { for: id }, h("code", {}, broken(setting.key))),
      h("span", { class: "range" }, setting.range)),
    h("div", { class: "about" }, setting.about),
    h("div", { class: "control" }, parts));
}
