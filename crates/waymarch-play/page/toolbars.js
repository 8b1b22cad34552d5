// The tools at the left, the options of the chosen tool, the orders for selected units, stored groups, and the first tip.

import { button, dots, h } from "./dom.js";
import { FORMATIONS, ORDERS, PARTS } from "./orders.js";
import { TOOLS, toolNamed } from "./tools.js";
import { OWNERS } from "./unit-looks.js";

/**
 * @import {Orders} from "./orders.js"
 * @import {Store} from "./store.js"
 */

/** @param {HTMLElement} host @param {Store} store @param {Orders} orders */
export function buildTools(host, store, orders) {
  if (!store.source?.canCommand) {
    host.hidden = true;
    return;
  }
  const buttons = TOOLS.map((tool) => {
    const it = button({ icon: tool.icon, label: tool.label, key: tool.key, id: `tool-${tool.name}`,
      onclick: () => store.setTool(tool.name) });
    it.append(h("small", { "aria-hidden": "true" }, tool.key));
    return it;
  });
  const mark = () => TOOLS.forEach((tool, i) => buttons[i].setAttribute("aria-pressed",
    String(tool.name === store.tool)));
  host.append(...buttons.slice(0, 2), h("hr"), ...buttons.slice(2, -1), h("hr"), ...buttons.slice(-1));
  host.append(h("hr"), formationShown(store, orders));
  store.on("tool", () => {
    mark();
    const { shows } = toolNamed(store.tool);
    if (shows && !store.shown.has(shows)
      && store.hello?.overlays.some((overlay) => overlay.name === shows)) store.show(shows, true);
  });
  mark();
}

/** The button that shows the chosen formation; a press chooses the next one. @param {Store} store @param {Orders} orders */
function formationShown(store, orders) {
  const it = button({ icon: "select", label: "Formation", key: "Q E", id: "formation", onclick: () => orders.formNext(1) });
  const draw = () => {
    const chosen = FORMATIONS.find(({ name }) => name === store.formation);
    const label = chosen ? `Formation: ${chosen.label}` : "Formation: from the settings";
    it.hidden = !store.hello?.formations?.length;
    it.dataset.formation = store.formation;
    it.title = `${label} (Q E)`;
    it.setAttribute("aria-label", label);
    it.setAttribute("aria-pressed", String(Boolean(chosen)));
    it.replaceChildren(dots((chosen ?? FORMATIONS[0]).dots), h("small", { "aria-hidden": "true" }, "E"));
  };
  store.on("formation hello", draw);
  draw();
  return it;
}

/** The controls of tool options. To add an option, add an entry. @type {Record<string, (store: any) => any>} */
const OPTIONS = {
  size: (s) => number(s, "size", "Brush", 1, s.hello?.limits?.brush ?? 64),
  count: (s) => number(s, "count", "Number", 1, s.hello?.limits?.spawn ?? 5000),
  radius: (s) => number(s, "radius", "Radius", 1, 64),
  strength: (s) => number(s, "strength", "Strength", 1, 254),
  terrain: (s) => choice(s, "terrain", "Terrain", (s.hello?.terrains ?? []).map((t) => t.name)),
  stamp: (s) => choice(s, "stamp", "Building", (s.hello?.stamps ?? []).map((t) => `${t.name} (${t.width}×${t.height})`)),
  kind: (s) => choice(s, "kind", "Type", (s.hello?.types ?? []).map((t) => t.name)),
  owner: (s) => choice(s, "owner", "Player", OWNERS.map((_, i) => String(i + 1))),
};

function number(store, key, label, min, max) {
  const input = h("input", {
    type: "number", min, max, value: store.brush[key], id: `brush-${key}`,
    onchange: () => {
      const wish = Math.round(Number(input.value));
      const fits = input.value.trim() !== "" && wish >= min && wish <= max;
      if (!fits) store.toast(`${label} ${input.value || "(empty)"}: it must be ${min} to ${max}`, "bad");
      else store.setBrush({ [key]: wish });
      // The box shows what counts.
      input.value = String(store.brush[key]);
    },
  });
  return h("label", {}, label, input);
}

function choice(store, key, label, names) {
  const select = h(
    "select",
    { id: `brush-${key}`, onchange: () => store.setBrush({ [key]: select.selectedIndex }) },
    names.map((name) => h("option", {}, name)),
  );
  select.selectedIndex = store.brush[key];
  return h("label", {}, label, select);
}

/** @param {HTMLElement} host @param {Store} store */
export function buildOptions(host, store) {
  const show = () => {
    const tool = toolNamed(store.tool);
    host.hidden = tool.paints === "none";
    host.setAttribute("aria-label", `${tool.label}: settings`);
    if (host.contains(document.activeElement)) return;
    host.replaceChildren(...tool.options.map((name) => OPTIONS[name](store)), h("span", { class: "hint" }, tool.hint));
  };
  store.on("tool hello brush", show);
  show();
}

/** @param {HTMLElement} host @param {Store} store @param {Orders} orders @param {HTMLElement} view */
export function buildOrders(host, store, orders, view) {
  const count = h("span", { class: "count" });
  const buttons = ORDERS.map((order) => {
    const it = button({ icon: "select", label: order.label, text: order.label, key: order.key,
      id: `order-${order.name}`, onclick: () => {
        orders.choose(order.name);
        // Focus moves to the map for keyboard users: arrows move the map, Enter gives the order.
        if (orders.aiming) view.focus({ preventScroll: true });
      } });
    it.title = `${order.hint} (${order.key})`;
    it.append(h("kbd", { "aria-hidden": "true" }, order.key));
    return it;
  });
  const can = store.source?.canCommand ?? false;
  const formations = FORMATIONS.map((formation) => {
    const it = button({ icon: "select", label: `${formation.label} formation`, key: formation.key, class: "shape",
      id: `formation-${formation.name}`, onclick: () => orders.form(formation.name) });
    it.replaceChildren(dots(formation.dots));
    return it;
  });
  const shapes = h("span", { class: "shapes", role: "group", "aria-label": "Formation" }, formations);
  const rows = PARTS.map(([part, label]) => h("span", { class: "part", role: "group", "aria-label": label },
    buttons.filter((_, i) => ORDERS[i].part === part)));
  host.append(h("div", { class: "head" }, count, can ? shapes : null), ...(can ? rows : []));
  const mark = () => {
    shapes.hidden = !store.hello?.formations?.length;
    FORMATIONS.forEach(({ name }, i) => formations[i].setAttribute("aria-pressed", String(name === store.formation)));
  };
  store.on("formation hello", mark);
  mark();
  store.on("selection", () => {
    host.hidden = !store.selected.size;
    count.textContent = store.selected.size === 1 ? "1 unit" : `${store.selected.size} units`;
  });
  store.on("aiming", () => {
    view.classList.toggle("aiming", orders.aiming !== null);
    ORDERS.forEach((order, i) => buttons[i].setAttribute("aria-pressed", String(orders.aiming === order)));
  });
}

/**
 * The selections that were stored with Ctrl and a digit.
 * @param {HTMLElement} host @param {Store} store
 */
export function buildGroups(host, store) {
  const draw = () => {
    const kept = [...store.ctrlGroups].sort(([a], [b]) => Number(a) - Number(b));
    host.replaceChildren(...kept.map(([n, ids]) =>
      h("button", { type: "button", class: "button solid", title: `Group ${n} (${n})`,
        onclick: () => store.select(ids.filter((id) => store.stage.indexOf(id) >= 0)) },
        h("kbd", { "aria-hidden": "true" }, n), String(ids.length))));
  };
  store.on("groups", draw);
  store.on("hello", () => {
    store.ctrlGroups.clear();
    draw();
  });
}

/** A first tip, shown until units are selected. @param {HTMLElement} host @param {Store} store */
export function buildTip(host, store) {
  if (!store.source?.canCommand) return;
  const touch = matchMedia("(pointer: coarse)").matches;
  const [select, send] = touch ? ["Hold and drag to select units", "tap"] : ["Drag a box around units", "right-click"];
  const tips = { empty: "There are no units yet: add some with the last tool (8).",
    full: `${select}, then ${send} where they should go.` };
  let done = false;
  store.on("frame", (frame) => {
    if (done || store.tool !== "select") return;
    const tip = frame.count ? tips.full : tips.empty;
    if (host.textContent !== tip) host.textContent = tip;
    host.hidden = false;
  });
  store.on("tool", () => (host.hidden = true));
  store.on("selection", () => {
    if (!store.selected.size) return;
    done = true;
    host.hidden = true;
  });
}
