// Draws units with WebGL2: one quad each, all in one call. Positions are sent once per tick; the graphics card interpolates between ticks.

import { SHADER, colourOf, shaderCorners, shapeOf } from "./unit-looks.js";

/**
 * @import {Camera} from "./camera.js"
 * @import {Frame} from "./frame-interpolation.js"
 * @import {Store} from "./store.js"
 */

const FLOATS = 13;

const VERTEX = `#version 300 es
layout(location=0) in vec2 corner;
layout(location=1) in vec4 place;   // from, to
layout(location=2) in vec4 form;    // facing from, to; radius; shape
layout(location=3) in vec2 look;    // state, marks
layout(location=4) in vec3 body;    // colour
uniform vec2 middle; uniform vec2 half_view; uniform float scale; uniform float t; uniform float least;
out vec2 spot; flat out vec3 colour; flat out vec2 facing; flat out vec4 traits;
void main() {
  vec2 at = mix(place.xy, place.zw, t);
  float angle = mix(form.x, form.y, t);
  float radius = max(form.z * scale, least);
  float reach = radius * 1.7 + 1.5;
  vec2 px = (at - middle) * scale + corner * reach;
  gl_Position = vec4(px.x / half_view.x, -px.y / half_view.y, 0.0, 1.0);
  spot = corner * reach;
  colour = body;
  facing = vec2(cos(angle), sin(angle));
  traits = vec4(radius, look, form.w);
}`;

const FRAGMENT = `#version 300 es
precision highp float;
in vec2 spot; flat in vec3 colour; flat in vec2 facing; flat in vec4 traits;
out vec4 ink;
${SHADER}
void main() {
  float radius = traits.x; float state = traits.y; float marked = traits.z;
  float far = length(spot);
  // The place in the unit's own frame, in radii; and pixels inside its outline.
  vec2 own = vec2(dot(spot, facing), dot(spot, vec2(-facing.y, facing.x))) / radius;
  float within = radius > 2.2 ? -outline(own, int(traits.w + 0.5)) * radius : radius - far;
  float body = clamp(within + 0.5, 0.0, 1.0);
  if (radius < 2.2) body = far < radius * 1.25 ? 1.0 : 0.0;
  vec3 c = colour;
  float stance = mod(state, 4.0); float rung = mod(floor(state / 16.0), 4.0);
  if (stance < 0.5) c = mix(c, vec3(0.55), 0.38);
  if (radius > 3.0) {
    float rim = clamp(1.6 - within, 0.0, 1.0);
    c = mix(c, c * 0.45, rim);
    // A wedge shows the facing.
    vec2 q = vec2(own.x, abs(own.y));
    if (q.x > 0.05 && q.y < (0.85 - q.x) * 0.55) c = mix(c, vec3(1.0), 0.85);
    if (stance > 1.5 && max(abs(q.x), q.y) < 0.28) c = vec3(0.1);
  }
  if (rung > 0.5 && far < radius * 0.45) c = vec3(1.0, 0.2 + 0.2 * (3.0 - rung), 0.1);
  vec4 all = vec4(c * body, body);
  // Small units have a dark outline, so that blue is visible on water.
  if (radius <= 3.0) all += vec4(0.03, 0.05, 0.09, 1.0) * 0.6 * (1.0 - body) * clamp(within + radius * 0.25 + 1.3, 0.0, 1.0);
  if (marked > 0.5) {
    float wide = max(0.5, radius * 0.08);
    float line = clamp(wide - abs(within + radius * 0.22 + 0.5) + 0.5, 0.0, 1.0);
    all = mix(all, vec4(1.0), line);
  }
  ink = all;
}`;

/** Names of software renderers; browsers do not always report them by `failIfMajorPerformanceCaveat`. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** Whether WebGL2 is available and fast. A separate canvas is used for the test: a canvas with a WebGL context cannot get a 2D context. */
function hasCard() {
  const gl = document.createElement("canvas").getContext("webgl2", { failIfMajorPerformanceCaveat: true });
  if (!gl) return false;
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return !SOFTWARE.test(name);
}

export class UnitsGl {
  /**
   * @param {HTMLCanvasElement} canvas @param {"card" | "any"} on  `card`: only with a graphics card; `any`: also in software
   * @returns {UnitsGl | null}  `null` if such a WebGL2 is not available
   */
  static open(canvas, on) {
    if (on === "card" && !hasCard()) return null;
    const gl = canvas.getContext("webgl2", { antialias: false, depth: false, premultipliedAlpha: true, alpha: true });
    return gl ? new UnitsGl(canvas, gl) : null;
  }

  /** @param {HTMLCanvasElement} canvas @param {WebGL2RenderingContext} gl */
  constructor(canvas, gl) {
    this.name = "WebGL2";
    this.canvas = canvas;
    this.gl = gl;
    this.data = new Float32Array(0);
    this.sent = -1;
    this.sentSelection = null;
    this.build();
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => {
      this.sent = -1;
      this.build();
    });
  }

  build() {
    const gl = this.gl;
    const program = /** @type {WebGLProgram} */ (gl.createProgram());
    for (const [kind, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
      const shader = /** @type {WebGLShader} */ (gl.createShader(/** @type {number} */ (kind)));
      gl.shaderSource(shader, /** @type {string} */ (source));
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
      throw new Error(`units' shaders: ${gl.getProgramInfoLog(program)}`);
    }
    gl.useProgram(program);
    this.where = (name) => gl.getUniformLocation(program, name);
    this.uniforms = Object.fromEntries(["middle", "half_view", "scale", "t", "least"].map((n) => [n, this.where(n)]));
    gl.uniform2fv(this.where("corners"), shaderCorners());
    const corners = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, corners);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), gl.STATIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    this.buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    for (const [place, size, offset] of [[1, 4, 0], [2, 4, 16], [3, 2, 32], [4, 3, 40]]) {
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, size, gl.FLOAT, false, FLOATS * 4, offset);
      gl.vertexAttribDivisor(place, 1);
    }
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  /** @param {Store} store */
  send(store) {
    const { stage, selected } = store;
    const frame = /** @type {Frame} */ (stage.frame);
    const n = frame.count;
    if (this.data.length < n * FLOATS) this.data = new Float32Array(Math.ceil(n * 1.5) * FLOATS);
    const kinds = store.hello?.types ?? [];
    const data = this.data;
    /** @type {Map<number, number[]>} */ const colours = new Map();
    let to = 0;
    for (let i = 0; i < n; i++) {
      data[to] = stage.fromX[i];
      data[to + 1] = stage.fromY[i];
      data[to + 2] = frame.x[i];
      data[to + 3] = frame.y[i];
      data[to + 4] = stage.fromFacing[i];
      data[to + 5] = frame.facing[i];
      data[to + 6] = (kinds[frame.kind[i]]?.radius ?? 400) / 1024;
      data[to + 7] = shapeOf(frame.kind[i]);
      data[to + 8] = frame.state[i];
      data[to + 9] = selected.size && selected.has(frame.id[i]) ? 1 : 0;
      const look = (frame.kind[i] << 8) | frame.owner[i];
      let colour = colours.get(look);
      if (!colour) colours.set(look, (colour = colourOf(frame.owner[i], frame.kind[i])));
      data.set(colour, to + 10);
      to += FLOATS;
    }
    this.gl.bufferData(this.gl.ARRAY_BUFFER, data.subarray(0, n * FLOATS), this.gl.DYNAMIC_DRAW);
    this.sent = stage.version;
    this.sentSelection = selected;
    this.sentSize = selected.size;
  }

  /**
   * @param {Store} store @param {Camera} camera
   * @param {{t: number, dpr: number}} now
   */
  draw(store, camera, now) {
    const gl = this.gl;
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    const frame = store.stage.frame;
    if (!frame || !frame.count || gl.isContextLost()) return;
    const sameSelection = this.sentSelection === store.selected && this.sentSize === store.selected.size;
    if (this.sent !== store.stage.version || !sameSelection) this.send(store);
    gl.uniform2f(this.uniforms.middle, camera.x, camera.y);
    gl.uniform2f(this.uniforms.half_view, this.canvas.width / 2, this.canvas.height / 2);
    gl.uniform1f(this.uniforms.scale, camera.scale * now.dpr);
    gl.uniform1f(this.uniforms.t, now.t);
    gl.uniform1f(this.uniforms.least, 1.3 * now.dpr);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, frame.count);
  }
}
