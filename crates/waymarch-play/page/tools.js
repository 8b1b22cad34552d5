// The tools of the pointer. To add a tool, add an entry to TOOLS.

import { BUILT } from "./store.js";

/** @import {Store} from "./store.js" */

/**
 * @typedef {{x: number, y: number, w: number, h: number, round?: boolean, colour?: string}} Cover  in cells
 * @typedef {object} Tool
 * @property {string} name
 * @property {string} label
 * @property {string} icon
 * @property {string} key
 * @property {string} hint  one sentence
 * @property {("size"|"terrain"|"stamp"|"kind"|"count"|"owner"|"radius"|"strength")[]} options
 * @property {"stroke" | "press" | "none"} paints  along the stroke, once per press, or not at all
 * @property {string} [shows]  the overlay that makes its effect visible
 * @property {(store: Store, x: number, y: number) => Cover} [covers]
 * @property {(store: Store, x: number, y: number) => object} [sends]
 */

/** A square of the brush's size around a cell, clipped to the map. @returns {Cover} */
const square = (store, x, y) => {
  const size = store.brush.size;
  const ground = store.ground ?? { w: 1, h: 1 };
  const x0 = Math.max(0, x - ((size - 1) >> 1));
  const y0 = Math.max(0, y - ((size - 1) >> 1));
  const x1 = Math.min(ground.w, x - ((size - 1) >> 1) + size);
  const y1 = Math.min(ground.h, y - ((size - 1) >> 1) + size);
  return { x: x0, y: y0, w: Math.max(1, x1 - x0), h: Math.max(1, y1 - y0) };
};
/** @param {Cover} cover */
const area = ({ x, y, w, h }) => ({ x, y, w, h });
const stampOf = (store) => store.hello?.stamps[store.brush.stamp] ?? { width: 1, height: 1, cells: "#" };
/** Whether a gate stands on a cell. */
const isGate = (store, x, y) => [BUILT.gateClosed, BUILT.gateOpen].includes(store.ground?.built[y * store.ground.w + x]);

/** @type {Tool[]} */
export const TOOLS = [
  {
    name: "select", label: "Select and order", icon: "select", key: "V", options: [], paints: "none",
    hint: "Drag a box to select units, right-click to give an order. Hold shift to add to the selection or to queue orders.",
  },
  {
    name: "pan", label: "Move the view", icon: "pan", key: "M", options: [], paints: "none",
    hint: "Drag to move the view; the middle mouse button does this with any tool.",
  },
  {
    name: "wall", label: "Wall", icon: "wall", key: "1", options: ["size"], paints: "stroke",
    hint: "Draw walls; routes through them are repaired at once.",
    covers: square, sends: (s, x, y) => ({ do: "paint", tool: "wall", ...area(square(s, x, y)) }),
  },
  {
    name: "terrain", label: "Terrain brush", icon: "terrain", key: "2", options: ["terrain", "size"], paints: "stroke",
    hint: "Paint the terrain; its cost depends on the unit type.",
    covers: (s, x, y) => ({ ...square(s, x, y), colour: s.hello?.terrains[s.brush.terrain]?.colour }),
    sends: (s, x, y) => ({ do: "paint", tool: "terrain", terrain: s.brush.terrain, ...area(square(s, x, y)) }),
  },
  {
    name: "stamp", label: "Building", icon: "building", key: "3", options: ["stamp"], paints: "press",
    hint: "Place a building; its middle is under the pointer.",
    covers: (s, x, y) => {
      const { width, height } = stampOf(s);
      return { x: x - (width >> 1), y: y - (height >> 1), w: width, h: height, colour: "#c49e80" };
    },
    sends: (s, x, y) => {
      const { width, height } = stampOf(s);
      return { do: "paint", tool: "stamp", stamp: s.brush.stamp, x: x - (width >> 1), y: y - (height >> 1) };
    },
  },
  {
    name: "gate", label: "Gate", icon: "gate", key: "4", options: ["size"], paints: "press",
    hint: "Place a gate, also in a wall; press an existing gate to open or close it.",
    covers: (s, x, y) => (isGate(s, x, y) ? { x, y, w: 1, h: 1, colour: "#ffe0a8" } : { ...square(s, x, y), colour: "#d69c4a" }),
    sends: (s, x, y) => (isGate(s, x, y) ? { do: "toggle", x, y }
      : { do: "paint", tool: "gate", ...area(square(s, x, y)) }),
  },
  {
    name: "bridge", label: "Bridge", icon: "bridge", key: "5", options: ["size"], paints: "stroke",
    hint: "Draw a bridge over water or any other terrain.",
    covers: (s, x, y) => ({ ...square(s, x, y), colour: "#b29468" }),
    sends: (s, x, y) => ({ do: "paint", tool: "bridge", ...area(square(s, x, y)) }),
  },
  {
    name: "threat", label: "Threat source", icon: "threat", key: "6", options: ["radius", "strength"],
    paints: "press", shows: "threat",
    hint: "Place a threat source; units that avoid threat go around it.",
    covers: (s, x, y) => {
      const r = s.brush.radius;
      return { x: x + 0.5 - r, y: y + 0.5 - r, w: 2 * r, h: 2 * r, round: true, colour: "#f5722f" };
    },
    sends: (s, x, y) => ({ do: "paint", tool: "threat", x, y, radius: s.brush.radius, strength: s.brush.strength }),
  },
  {
    name: "erase", label: "Erase", icon: "erase", key: "7", options: ["size"], paints: "stroke",
    hint: "Remove walls, buildings, gates, bridges and threat sources.",
    covers: (s, x, y) => ({ ...square(s, x, y), colour: "#ff5c7a" }),
    sends: (s, x, y) => ({ do: "paint", tool: "erase", ...area(square(s, x, y)) }),
  },
  {
    name: "spawn", label: "Add units", icon: "spawn", key: "8", options: ["kind", "count", "owner"], paints: "press",
    hint: "Add units on the nearest free cells.",
    covers: (s, x, y) => {
      const type = s.hello?.types[s.brush.kind];
      const side = Math.ceil(Math.sqrt(s.brush.count)) * Math.max(1, type?.size ?? 1);
      return { x: x + 0.5 - side / 2, y: y + 0.5 - side / 2, w: side, h: side, round: true, colour: "#7db8ff" };
    },
    sends: (s, x, y) => ({ do: "spawn", kind: s.brush.kind, count: s.brush.count, owner: s.brush.owner, x, y }),
  },
];

/** @param {string} name */
export const toolNamed = (name) => TOOLS.find((tool) => tool.name === name) ?? TOOLS[0];
