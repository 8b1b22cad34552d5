// Puts the page into this document and starts it with a mock world.

import { MockSource } from "./mock-source.js";

const page = new DOMParser().parseFromString(await (await fetch("../page/index.html")).text(), "text/html");
document.head.append(...page.head.children);
document.body.replaceChildren(...page.body.children);
/** @type {any} */ (globalThis).waymarchSource = (store) => new MockSource(store, new URLSearchParams(location.search));
// Scripts of a parsed document do not run, so the page is started here.
await import("../page/main.js");
