// The world page: scenarios, maps, generated maps, map files.

import { h } from "./dom.js";
import { kindIcon } from "./unit-looks.js";

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

  const file = h("input", { type: "file", hidden: true, onchange: () => {
    if (file.files?.[0]) openFile(store, file.files[0]);
    // The same file can be opened again.
    file.value = "";
  } });
  const formats = h("p", { class: "quiet", id: "formats" });
  const kinds = h("ul", { class: "kinds", id: "kinds" });
  const script = h("p", { class: "quiet", id: "script" },
    "The script of this scenario gives orders at its ticks. It leaves out units that you have commanded.");
  host.append(
    about, script, kinds,
    h("h2", {}, "Scenario"), scenarios,
    mapsPart,
    h("h2", {}, "Generate a map"), form,
    h("h2", {}, "Map file"),
    h("button", { type: "button", class: "button solid wide", onclick: () => file.click() }, "Open a file…"),
    formats,
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
    script.hidden = !hello.script;
    kinds.replaceChildren(...hello.types.map((type, kind) =>
      h("li", { title: `${type.locomotor}, ${type.size} × ${type.size} cells` }, kindIcon(kind), type.name)));
    const uploads = hello.uploads ?? [];
    file.accept = uploads.join(",");
    const more = uploads.includes(".oramap") ? "" : " For .oramap (OpenRA) start `waymarch play --mod DIR`.";
    formats.hidden = !uploads.length;
    formats.textContent = `${uploads.join(", ")}. You can also drop a file on the map.${more}`;
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
    store.toast(/** @type {Error} */ (error).message, "bad");
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
