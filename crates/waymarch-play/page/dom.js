// Helpers to make elements, and small things about the document that many files need.

/**
 * Makes an element with properties and children. `on…` props are listeners; `class`, `data-…`, `aria-…` and the like are
 * attributes; everything else is set as a property. Children that are `null` or `false` are left out.
 * @param {string} tag
 * @param {Record<string, any>} [props]
 * @param {...any} children
 * @returns {any}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class" || name.includes("-") || name === "role" || name === "for" || name === "list") {
      element.setAttribute(name, String(value));
    } else element[name] = value;
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Icons as outlines in a 20×20 square, drawn in the current colour. To add an icon, add an entry. */
const ICONS = {
  select: "M5 3l11 6-5 1.5L8.5 16z",
  pan: "M10 2v16M2 10h16M10 2L8 4.5M10 2l2 2.5M10 18l-2-2.5M10 18l2-2.5M2 10l2.5-2M2 10l2.5 2M18 10l-2.5-2M18 10l-2.5 2",
  wall: "M2 5h16v10H2zM2 10h16M7 5v5M13 5v5M4.5 10v5M10 10v5M15.500 10v5",
  terrain: "M2 15l5-8 4 6 2.5-3.500L18 15z",
  building: "M3 17V8l7-5 7 5v9zM8 17v-5h4v5",
  gate: "M3 17V4h3v13M14 17V4h3v13M6 8h8M6 12h8M10 8v9",
  bridge: "M2 8h16M2 12h16M5 8v4M9 8v4M13 8v4M16 8v4M4 12v4M16 12v4",
  threat: "M10 3l7 13H3zM10 8v4M10 13.500v.5",
  erase: "M4 13l7-8 5 4.5-6.500 7H7zM7.500 9l5 4.5M10 16.500h7",
  spawn: "M10 6a2 2 0 100-4 2 2 0 000 4M6 17v-5a4 4 0 018 0v5M15 4h4M17 2v4",
  play: "M6 4l10 6-10 6z",
  pause: "M7 4v12M13 4v12",
  step: "M5 4l8 6-8 6zM15 4v12",
  camera: "M3 6h3l1.500-2h5L14 6h3v10H3zM10 13.500a2.800 2.800 0 100-5.600 2.800 2.800 0 000 5.600",
  back: "M4 8h8a4 4 0 010 8H8M4 8l3.5-3.5M4 8l3.5 3.5",
  twice: "M3 6h11l-3-3M17 14H6l3 3",
  save: "M10 3v9M6.500 9l3.500 3.500L13.500 9M4 16h12",
  theme: "M10 3a7 7 0 100 14zM10 3a7 7 0 010 14",
  help: "M7.500 7.500a2.5 2.5 0 115 0c0 2-2.5 2-2.5 4M10 14.5v.5",
  panel: "M3 4h14v12H3zM12 4v12",
  fit: "M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4",
  close: "M5 5l10 10M15 5L5 15",
};

/** @param {keyof typeof ICONS | string} name @returns {SVGSVGElement} */
export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", "icon");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", ICONS[name] ?? ICONS.help);
  svg.append(path);
  return svg;
}

/** An icon of dots. @param {[number, number][]} places @returns {SVGSVGElement} */
export function dots(places) {
  const svg = icon("select");
  const path = /** @type {SVGPathElement} */ (svg.firstChild);
  // A line of length 0 with round ends is a dot.
  path.setAttribute("d", places.map(([x, y]) => `M${x} ${y}h.01`).join(""));
  path.setAttribute("stroke-width", "3.400");
  return svg;
}

/**
 * A button with an icon. Its label is read out by screen readers and shown as a tooltip, with its key.
 * @param {{icon: string, label: string, key?: string, text?: string, onclick: (e: Event) => void, disabled?: string,
 *   class?: string, id?: string}} what  `disabled`: the reason why it cannot be used
 */
export function button(what) {
  const tip = what.disabled ? `${what.label}: ${what.disabled}` : what.key ? `${what.label} (${what.key})` : what.label;
  return h(
    "button",
    {
      type: "button",
      id: what.id,
      class: `button ${what.class ?? ""}`,
      title: tip,
      "aria-label": what.label,
      "aria-disabled": what.disabled ? "true" : null,
      "aria-keyshortcuts": what.key,
      onclick: (event) => (what.disabled ? event.preventDefault() : what.onclick(event)),
    },
    icon(what.icon),
    what.text ? h("span", {}, what.text) : null,
  );
}

/** Lets the user save a file. @param {string} name @param {BlobPart} content @param {string} [type] */
export function download(name, content, type = "application/octet-stream") {
  const link = h("a", { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Whether key presses go into a text field. @param {EventTarget | null} target */
export function isTyping(target) {
  const element = /** @type {HTMLElement | null} */ (target);
  if (!element || !element.tagName) return false;
  if (element instanceof HTMLInputElement) return !["checkbox", "range", "radio", "button"].includes(element.type);
  return element.tagName === "TEXTAREA" || element.tagName === "SELECT" || element.isContentEditable;
}

/** @param {number} n */
export const thousands = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, "\u2009");
