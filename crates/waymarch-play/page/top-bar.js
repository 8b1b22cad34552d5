// The bar at the top: world, clock, snapshot, comparison, saving, theme, help.

import { button, download, h, icon, thousands } from "./dom.js";
import { SPEEDS } from "./keys.js";

/**
 * @import {Hello, Store} from "./store.js"
 * @import {MapView} from "./map-view.js"
 */

/**
 * @param {HTMLElement} host @param {Store} store @param {MapView} view
 * @param {{help: () => void, panel: () => void, theme: () => void}} page
 */
export function buildTopBar(host, store, view, page) {
  const live = store.source?.canCommand ?? false;
  const play = button({
    icon: "play", label: "Play", key: "Space", id: "play",
    onclick: () => store.send({ do: "time", set: store.time.playing ? "pause" : "play" }),
  });
  const step = button({ icon: "step", label: "One tick", key: ".", id: "step",
    onclick: () => store.send({ do: "time", set: "step" }) });
  const speed = h(
    "select",
    {
      id: "speed", "aria-label": "Speed", title: "Speed (− and +)",
      onchange: (event) => store.send({ do: "time", speed: Number(event.target.value) }),
    },
    SPEEDS.map((percent) => h("option", { value: String(percent) }, `×${percent / 100}`)),
  );
  const snapshot = button({ icon: "camera", label: "Snapshot: save the world as it is now", id: "snapshot",
    onclick: () => store.send({ do: "snapshot" }) });
  const restore = button({
    icon: "back", label: "Back to the snapshot", text: "Restore", id: "restore", class: "optional",
    onclick: () => store.send({ do: "restore" }),
  });
  restore.disabled = true;
  const twice = button({
    icon: "twice", label: "Replay the game so far and compare the state hashes", text: "Run twice",
    id: "compare", class: "optional",
    onclick: () => {
      store.toast("Replaying the game so far…");
      store.send({ do: "compare" });
    },
  });
  const save = button({ icon: "save", label: "Save replay", text: "Save", id: "save", class: "optional",
    onclick: () => store.send({ do: "replay" }) });
  const world = h("span", { class: "world" });
  const tick = h("b", {}, "0");
  host.append(
    h("span", { class: "brand" }, "Waymarch"),
    world,
    h("span", { class: "gap" }),
    h("div", { class: "group", role: "group", "aria-label": "Time" }, play, step, speed),
    h("span", { class: "tick mono", id: "tick" }, "tick ", tick),
    ...(live
      ? [h("span", { class: "sep" }),
        h("div", { class: "group", role: "group", "aria-label": "Snapshot and replay" }, snapshot, restore, twice,
        save)]
      : []),
    h("span", { class: "gap" }),
    button({ icon: "fit", label: "Show the whole map", key: "Home", class: "optional",
      onclick: () => view.camera.fit() }),
    button({ icon: "theme", label: "Light or dark colours", id: "theme", onclick: page.theme }),
    button({ icon: "help", label: "Keys", key: "?", class: "optional", onclick: page.help }),
    button({ icon: "panel", label: "Show or hide the panel", key: "\\", id: "panel-button", onclick: page.panel }),
  );
  store.on("hello", () => {
    const { name, about } = /** @type {Hello} */ (store.hello);
    world.textContent = name;
    world.title = about;
    document.title = `${name} · Waymarch ${live ? "playground" : "replay"}`;
  });
  store.on("time", () => {
    play.replaceChildren(icon(store.time.playing ? "pause" : "play"));
    const label = store.time.playing ? "Pause" : "Play";
    play.setAttribute("aria-label", label);
    play.title = `${label} (Space)`;
    const value = String(store.time.speed);
    if (![...speed.options].some((option) => option.value === value)) {
      speed.append(h("option", { value }, `×${store.time.speed / 100}`));
    }
    speed.value = value;
    restore.disabled = store.time.snapshot === null;
    restore.title = store.time.snapshot === null ? "No snapshot yet" : `Back to tick ${store.time.snapshot}`;
  });
  store.on("frame", (frame) => (tick.textContent = thousands(frame.tick)));
  store.on("compared", (result) => {
    if (result.same) store.toast(`Replay has the same hash at tick ${result.tick}: ${result.hash}`, "good");
    else {
      const differs = `${result.hash} and ${result.again}; first difference in ${result.part ?? "an unknown part"}`;
      store.toast(`Replay has ANOTHER hash at tick ${result.tick}: ${differs}`, "bad");
    }
  });
  store.on("replay", async ({ url, bytes, ticks, commands, data }) => {
    if (data) download("game.replay", data);
    else h("a", { href: url, download: "" }).click();
    const size = `${thousands(ticks)} ticks and ${thousands(commands)} commands, ${Math.ceil(bytes / 1024)} KiB`;
    store.toast(`Replay of ${size}`, "good");
  });
}
