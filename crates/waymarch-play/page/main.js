// Starts the page: the store, the source of the world, the map view and all bars and panels.

import { buildTopBar } from "./top-bar.js";
import { button, h } from "./dom.js";
import { HELP, listenToKeys } from "./keys.js";
import { Minimap } from "./minimap.js";
import { Orders } from "./orders.js";
import { OverlayRequests } from "./overlays.js";
import { Panel } from "./panel.js";
import { Pointer } from "./pointer.js";
import { buildGroups, buildOptions, buildOrders, buildTools, buildTip } from "./toolbars.js";
import { LiveSource, ReplaySource } from "./world-sources.js";
import { Store } from "./store.js";
import { buildStatusBar } from "./status-bar.js";
import { nextTheme, startTheme } from "./theme.js";
import { MapView } from "./map-view.js";

const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * The source of the world: a recording inside the page, one that was made before the page started (`mock/start.js`), or a server.
 * @param {Store} store
 */
async function openSource(store) {
  const recording = document.getElementById("replay")?.textContent;
  if (recording) return ReplaySource.open(store, recording);
  const made = /** @type {any} */ (globalThis).waymarchSource;
  return made ? made(store) : new LiveSource(store);
}

/** @param {Store} store */
function showBanner(store) {
  const banner = byId("banner");
  store.on("link", () => {
    banner.hidden = store.link !== "lost";
    banner.textContent = "Connection lost, reconnecting… Is `waymarch play` still running?";
    byId("view").inert = store.link === "lost";
  });
}

/** @param {Store} store */
function showToasts(store) {
  const host = byId("toasts");
  store.on("toast", ({ text, tone }) => {
    const old = [...host.children].find((toast) => toast.textContent === text);
    old?.remove();
    const toast = h("div", { class: `toast ${tone}` }, text);
    host.append(toast);
    while (host.children.length > 4) host.firstChild?.remove();
    setTimeout(() => toast.remove(), tone === "info" ? 3500 : 8000);
  });
}

function helpDialog() {
  const dialog = h("dialog", { "aria-label": "Keys", onclick: (event) => event.target === dialog && dialog.close() },
    h("header", {}, "Keys", button({ icon: "close", label: "Close", onclick: () => dialog.close() })),
    h("div", { class: "help" }, HELP.map(([title, rows]) => h("section", {}, h("h2", {}, title),
      h("dl", {}, rows.flatMap(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)]))))));
  document.body.append(dialog);
  return () => (dialog.open ? dialog.close() : dialog.showModal());
}

/** Sets `window.waymarch`, which tests read; see PROTOCOL.md. @param {Store} store @param {MapView} view */
function forTests(store, view) {
  const read = {
    tick: () => store.stage.frame?.tick ?? 0,
    hash: () => store.stage.frame?.hash ?? "",
    units: () => store.stage.frame?.count ?? 0,
    fps: () => view.fps,
    connected: () => store.link === "open",
    playing: () => store.time.playing,
    selected: () => [...store.selected],
    camera: () => ({ x: view.camera.x, y: view.camera.y, scale: view.camera.scale }),
    renderer: () => view.units.name,
  };
  const out = { toScreen: (x, y) => view.camera.toScreen(x, y), store, view };
  for (const [name, get] of Object.entries(read)) Object.defineProperty(out, name, { get, enumerable: true });
  /** Frames per second over some seconds, and the 95th percentile of the frame time. */
  out.measure = (seconds = 3) => new Promise((done) => {
    const times = [];
    let then = performance.now();
    const end = then + seconds * 1000;
    const turn = (now) => {
      times.push(now - then);
      then = now;
      if (now < end) return requestAnimationFrame(turn);
      times.shift();
      const sum = times.reduce((a, b) => a + b, 0);
      times.sort((a, b) => a - b);
      done({ fps: (times.length * 1000) / sum, p95: times[Math.floor(times.length * 0.95)], frames: times.length });
    };
    requestAnimationFrame(turn);
  });
  /** @type {any} */ (window).waymarch = out;
}

async function start() {
  const store = new Store();
  startTheme(store);
  showBanner(store);
  showToasts(store);
  try {
    store.source = /** @type {any} */ (await openSource(store));
  } catch (error) {
    byId("banner").hidden = false;
    byId("banner").textContent = `This recording cannot be read: ${/** @type {Error} */ (error).message}`;
    return;
  }
  const view = new MapView(store, byId("view"));
  const orders = new Orders(store, view.ink);
  const panel = new Panel(byId("panel"), store, view);
  const page = { help: helpDialog(), panel: () => panel.toggle(), theme: () => nextTheme(store) };
  buildTopBar(byId("bar"), store, view, page);
  buildTools(byId("rail"), store, orders);
  buildOptions(byId("options"), store);
  buildOrders(byId("orders"), store, orders, byId("view"));
  buildGroups(byId("groups"), store);
  buildTip(byId("tip"), store);
  buildStatusBar(byId("strip"), store, view);
  new Minimap(/** @type {any} */ (byId("minimap")), store, view, orders);
  new Pointer(byId("view"), store, view, orders);
  new OverlayRequests(store, view.camera);
  listenToKeys(store, view, orders, page);
  forTests(store, view);
  /** @type {any} */ (store.source).start?.();
}

start();
