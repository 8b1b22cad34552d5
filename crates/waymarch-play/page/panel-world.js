// The world page: scenarios, maps, generated maps, map files.

import { h } from "./dom.js";

/**
 * @import {PageBuilder} from "./panel.js"
 * @import {Hello, Store} from "./store.js"
 */

/** @type {PageBuilder} */
export function worldPage(host, store, view) {
  const about = h("p", { class: "quiet" });
  const scenarios = h("div", { class: "choices" });
  const maps = h("select", { "aria-label": "Map" });
  const mapsPart = h("div", {}, h("h2", {}, "Map"), h("div", { class: "row" }, maps,
    h("button", { type: "button", class: "button solid", onclick: () => store.send({ do: "load", map: maps.value }) },
      "Open")));

  const field = (label, value, min, max) => {
    const input = h("input", { type: "number", value, min, max, required: true });
    return { input, element: h("label", { class: "field" }, label, input) };
  };
  const seed = field("Seed", 7, 0, 4294967295);
  const width = field("Width", 128, 8, 2048);
  const height = field("Height", 128, 8, 2048);
  const form = h(
    "form",
    {
      id: "generate",
      onsubmit: (event) => {
        event.preventDefault();
        const generate = { seed: Number(seed.input.value), width: Number(width.input.value),
          height: Number(height.input.value) };
        store.send({ do: "load", generate });
      },
    },
    h("div", { class: "row" }, seed.element, width.element, height.element),
    h("div", { class: "row", style: "margin-top:8px" },
      h("button", { type: "button", class: "button solid", onclick: () => {
        seed.input.value = String(1 + Math.floor(Math.random() * 99999));
        form.requestSubmit();
      } }, "Random map"),
      h("button", { class: "button main" }, "Generate")),
  );

  const file = h("input", { type: "file", accept: ".map,.yaml,.yml,.png,.tmx,.tmj,.json", hidden: true, onchange: () =>
    file.files?.[0] && openFile(store, file.files[0]) });
  host.append(
    about,
    h("h2", {}, "Scenario"), scenarios,
    mapsPart,
    h("h2", {}, "Generate a map"), form,
    h("h2", {}, "Map file"),
    h("button", { type: "button", class: "button solid wide", onclick: () => file.click() }, "Open a file…"),
    h("p", { class: "quiet" }, ".map (MovingAI), .yaml (Waymarch), .tmx or .tmj (Tiled) or .png. You can also drop a file on the map."),
    file,
    h("h2", {}, "This game"),
    h("div", { class: "row wrap" },
      [["Snapshot", "snapshot"], ["Restore", "restore"], ["Replay and compare", "compare"],
      ["Save replay", "replay"]].map(([label, what]) =>
      h("button", { type: "button", class: "button solid", onclick: () => store.send({ do: what }) }, label))),
  );

  store.on("hello", () => {
    const hello = /** @type {Hello} */ (store.hello);
    about.textContent = hello.about;
    const names = hello.scenarios.map(({ name }) => name).join();
    // Keep the buttons if the list is the same, so that focus stays.
    if (scenarios.dataset.names !== names) scenarios.replaceChildren(
      ...hello.scenarios.map((scenario) =>
        h("button", {
          type: "button", class: "choice", "data-scenario": scenario.name,
          onclick: () => store.send({ do: "load", scenario: scenario.name }),
        }, h("b", {}, scenario.name), h("span", {}, scenario.about)),
      ),
    );
    scenarios.dataset.names = names;
    for (const choice of scenarios.children) {
      choice.setAttribute("aria-pressed", String(choice.dataset.scenario === hello.scenario));
    }
    maps.replaceChildren(...hello.maps.map((name) => h("option", { value: name }, name)));
    mapsPart.hidden = !hello.maps.length;
  });
  dropFiles(view.host, store);
}

/** @param {Store} store @param {File} file */
async function openFile(store, file) {
  const source = /** @type {any} */ (store.source);
  const most = store.hello?.limits?.upload ?? 16 * 1024 * 1024;
  if (!source?.upload) return store.toast("Map files can only be opened with a server: start `waymarch play`", "bad");
  if (file.size > most) return store.toast(`${file.name} is too large: the limit is ${Math.floor(most / 1048576)} MiB`, "bad");
  try {
    await source.upload(file);
    store.toast(`Opened ${file.name}`, "good");
  } catch (error) {
    store.toast(`${file.name}: ${/** @type {Error} */ (error).message}`, "bad");
  }
}

/** @param {HTMLElement} host @param {Store} store */
function dropFiles(host, store) {
  const mark = (on) => host.classList.toggle("drop", on);
  addEventListener("dragover", (event) => {
    event.preventDefault();
    mark(true);
  });
  addEventListener("dragleave", (event) => !event.relatedTarget && mark(false));
  addEventListener("drop", (event) => {
    event.preventDefault();
    mark(false);
    const file = event.dataTransfer?.files[0];
    if (file) openFile(store, file);
  });
}
