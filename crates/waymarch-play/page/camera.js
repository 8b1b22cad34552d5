// The part of the map that is in view.

export class Camera {
  constructor() {
    /** The middle of the view, in cells. */ this.x = 0;
    this.y = 0;
    /** CSS pixels per cell. */ this.scale = 8;
    this.width = 1;
    this.height = 1;
    this.mapWidth = 1;
    this.mapHeight = 1;
    /** Changes whenever the view changes. */ this.version = 0;
  }

  /** @param {number} width @param {number} height */
  resize(width, height) {
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
    this.settle();
  }

  /** @param {number} w @param {number} h */
  setMap(w, h) {
    this.mapWidth = Math.max(1, w);
    this.mapHeight = Math.max(1, h);
    this.settle();
  }

  /** Shows the whole map. */
  fit() {
    this.scale = Math.min(this.width / (this.mapWidth + 2), this.height / (this.mapHeight + 2));
    this.x = this.mapWidth / 2;
    this.y = this.mapHeight / 2;
    this.settle();
  }

  /** The smallest scale: the whole map fills half of the view. */
  get least() {
    return Math.min(this.width / this.mapWidth, this.height / this.mapHeight) / 2;
  }

  /** Keeps the middle of the view on the map. */
  settle() {
    this.scale = Math.min(96, Math.max(this.least, this.scale));
    this.x = Math.min(this.mapWidth, Math.max(0, this.x));
    this.y = Math.min(this.mapHeight, Math.max(0, this.y));
    this.version++;
  }

  /** @param {number} dx  pixels @param {number} dy */
  pan(dx, dy) {
    this.x -= dx / this.scale;
    this.y -= dy / this.scale;
    this.settle();
  }

  /** Zooms; the cell under the given pixel stays there. @param {number} factor @param {number} px @param {number} py */
  zoom(factor, px = this.width / 2, py = this.height / 2) {
    const [x, y] = this.toMap(px, py);
    this.scale = Math.min(96, Math.max(this.least, this.scale * factor));
    this.x = x - (px - this.width / 2) / this.scale;
    this.y = y - (py - this.height / 2) / this.scale;
    this.settle();
  }

  /** @param {number} x @param {number} y */
  goTo(x, y) {
    this.x = x;
    this.y = y;
    this.settle();
  }

  /** @param {number} px @param {number} py @returns {[number, number]} cells */
  toMap(px, py) {
    return [this.x + (px - this.width / 2) / this.scale, this.y + (py - this.height / 2) / this.scale];
  }

  /** @param {number} x @param {number} y @returns {[number, number]} pixels */
  toScreen(x, y) {
    return [(x - this.x) * this.scale + this.width / 2, (y - this.y) * this.scale + this.height / 2];
  }

  /** The cells in view, clipped to the map. */
  get seen() {
    const [x0, y0] = this.toMap(0, 0);
    const [x1, y1] = this.toMap(this.width, this.height);
    return {
      x0: Math.max(0, Math.floor(x0)),
      y0: Math.max(0, Math.floor(y0)),
      x1: Math.min(this.mapWidth, Math.ceil(x1)),
      y1: Math.min(this.mapHeight, Math.ceil(y1)),
    };
  }
}
