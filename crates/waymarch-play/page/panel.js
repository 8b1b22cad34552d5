// The panel at the right, with pages behind tabs. To add a page, add an entry to PAGES.

import { button, h } from "./dom.js";
import { eventsPage } from "./panel-events.js";
import { overlaysPage } from "./panel-overlays.js";
import { tuningPage } from "./panel-tuning.js";
import { unitPage } from "./panel-unit.js";
import { worldPage } from "./panel-world.js";

/**
 * @import {Store} from "./store.js"
 * @import {MapView} from "./map-view.js"
 */

/**
 * @typedef {(host: HTMLElement, store: Store, view: MapView) => void} PageBuilder
 * @type {{name: string, title: string, live: boolean, build: PageBuilder}[]}
 */
const PAGES = [
  { name: "world", title: "World", live: true, build: worldPage },
  { name: "overlays", title: "Overlays", live: true, build: overlaysPage },
  { name: "unit", title: "Unit", live: false, build: unitPage },
  { name: "tuning", title: "Tuning", live: true, build: tuningPage },
  { name: "events", title: "Events", live: false, build: eventsPage },
];

/** On screens narrower than 760 pixels, and on phones on their side, the panel is a drawer. layout.css has the same limits. */
const NARROW = matchMedia("(max-width: 760px), (max-height: 500px)");

export class Panel {
  /** @param {HTMLElement} host @param {Store} store @param {MapView} view */
  constructor(host, store, view) {
    this.host = host;
    const pages = PAGES.filter((page) => !page.live || store.source?.canCommand);
    this.tabs = pages.map((page) =>
      h("button", { type: "button", role: "tab", id: `tab-${page.name}`, "aria-controls": `page-${page.name}`,
        onclick: () => this.open(page.name) }, page.title),
    );
    this.pages = pages.map((page) => {
      const element = h("section", { class: "page", id: `page-${page.name}`, role: "tabpanel",
        "aria-labelledby": `tab-${page.name}`, tabIndex: 0 });
      page.build(element, store, view);
      return element;
    });
    const close = button({ icon: "close", label: "Close the panel", class: "close", onclick: () => this.toggle() });
    const tabs = h("div", { class: "tabs", role: "tablist", onkeydown: (event) => this.arrows(event) }, this.tabs,
      close);
    host.append(tabs, ...this.pages);
    this.open(pages[0].name, "quietly");
    if (NARROW.matches) this.toggle();
    NARROW.addEventListener("change", () => this.host.classList.toggle("closed", NARROW.matches));
    store.on("selection", () => {
      // A press on a single unit opens its page.
      if (store.selected.size === 1 && !NARROW.matches) this.open("unit", "quietly");
    });
  }

  /** @param {string} name @param {"quietly" | "aloud"} [how] */
  open(name, how = "aloud") {
    const known = this.pages.some((page) => page.id === `page-${name}`);
    if (!known) return;
    this.pages.forEach((page, i) => {
      const chosen = page.id === `page-${name}`;
      page.hidden = !chosen;
      this.tabs[i].setAttribute("aria-selected", String(chosen));
      this.tabs[i].tabIndex = chosen ? 0 : -1;
    });
    if (how === "aloud") this.host.classList.remove("closed");
  }

  toggle() {
    this.host.classList.toggle("closed");
  }

  /** @param {KeyboardEvent} event */
  arrows(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const at = this.tabs.indexOf(/** @type {any} */ (document.activeElement));
    if (!by || at < 0) return;
    const next = this.tabs[(at + by + this.tabs.length) % this.tabs.length];
    next.click();
    next.focus();
    event.preventDefault();
  }
}
