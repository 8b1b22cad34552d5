// How units look: the colour says the player, shape and shade say the kind. Both renderers of units and the icons of kinds read it here.

/** Colours of players, equal in both themes. */
export const OWNERS = ["#4da6ff", "#ff5a52", "#35b779", "#f2a93b", "#a06cd5", "#2fc4c4", "#e377c2", "#9aa5b1"];

/**
 * The outlines of kinds, as corners in units of the radius, facing east; `null` is a circle. Areas are about equal.
 * To add one, add its corners here.
 * @type {([number, number][] | null)[]}
 */
const SHAPES = [
  null,
  [[1.2, 0], [0, 0.85], [-1.1, 0], [0, -0.85]],
  [[0.95, 0.78], [-0.95, 0.78], [-0.95, -0.78], [0.95, -0.78]],
  [[1.3, 0], [-0.85, 1.05], [-0.85, -1.05]],
  [[1.05, 0], [0.55, 0.95], [-0.55, 0.95], [-1.05, 0], [-0.55, -0.95], [0.55, -0.95]],
  [[1.3, 0], [0.5, 0.62], [-1.25, 0.62], [-1.25, -0.62], [0.5, -0.62]],
];
/** Corners per shape in the shader; shorter shapes repeat their last corner. */
const CORNERS = 6;

/** The farthest corner is 1.4 radii from the middle. */
export const REACH = 1.4;
/** The line around a selected unit is its outline, 1.25 times as large. */
export const MARKED = 1.25;

/**
 * Shades: how much white (above 0) or black (below 0) is mixed into the player's colour. They have another period than the shapes,
 * so that 18 kinds look different.
 */
const SHADES = [0, 0.45, -0.3];

/** @param {number} kind */
export const shapeOf = (kind) => kind % SHAPES.length;
/** @param {number} kind */
export const shadeOf = (kind) => SHADES[(kind + Math.floor(kind / SHAPES.length)) % SHADES.length];

/** The player's colour for a kind, as red, green and blue from 0 to 1. @param {number} owner @param {number} kind */
export function colourOf(owner, kind) {
  const shade = shadeOf(kind);
  const target = shade > 0 ? 1 : 0;
  return [1, 3, 5].map((at) => {
    const part = parseInt(OWNERS[owner & 7].slice(at, at + 2), 16) / 255;
    return part + (target - part) * Math.abs(shade);
  });
}

/** The same colour for a canvas. @param {number} owner @param {number} kind */
export const cssColour = (owner, kind) => `rgb(${colourOf(owner, kind).map((part) => Math.round(part * 255)).join(" ")})`;

/**
 * Adds the outline of a kind to a path, around 0, 0 and facing east.
 * @param {CanvasRenderingContext2D} context @param {number} kind @param {number} radius
 */
export function outline(context, kind, radius) {
  const corners = SHAPES[shapeOf(kind)];
  context.beginPath();
  if (!corners) return context.arc(0, 0, radius, 0, Math.PI * 2);
  for (const [x, y] of corners) context.lineTo(x * radius, y * radius);
  context.closePath();
}

/** All corners for the shader: two numbers each, `CORNERS` per shape. A circle has only zeros. */
export function shaderCorners() {
  return SHAPES.flatMap((corners) => Array.from({ length: CORNERS }, (_, i) =>
    corners ? corners[Math.min(i, corners.length - 1)] : [0, 0]).flat());
}

/** The distance from the outline in radii, below 0 inside; for a fragment shader. */
export const SHADER = `
uniform vec2 corners[${SHAPES.length * CORNERS}];
float outline(vec2 p, int shape) {
  if (shape == 0) return length(p) - 1.0;
  float least = 1e9; float side = 1.0;
  vec2 last = corners[shape * ${CORNERS} + ${CORNERS - 1}];
  for (int i = 0; i < ${CORNERS}; i++) {
    vec2 next = corners[shape * ${CORNERS} + i];
    vec2 edge = next - last; vec2 from = p - last;
    float size = dot(edge, edge);
    if (size > 0.0) {
      vec2 off = from - edge * clamp(dot(from, edge) / size, 0.0, 1.0);
      least = min(least, dot(off, off));
      // The corners go clockwise on the screen: outside is on the left of an edge.
      if (edge.x * from.y - edge.y * from.x < 0.0) side = -1.0;
    }
    last = next;
  }
  return side > 0.0 ? -sqrt(least) : sqrt(least);
}`;

/** An icon of a kind in the colours of the first player. @param {number} kind @returns {SVGSVGElement} */
export function kindIcon(kind) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "-10 -10 20 20");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", "kind");
  const corners = SHAPES[shapeOf(kind)];
  const body = document.createElementNS(space, corners ? "polygon" : "circle");
  if (corners) body.setAttribute("points", corners.map(([x, y]) => `${y * 7},${-x * 7}`).join(" "));
  else body.setAttribute("r", "7");
  body.setAttribute("fill", cssColour(0, kind));
  body.setAttribute("stroke", "#0b1522");
  svg.append(body);
  return svg;
}
