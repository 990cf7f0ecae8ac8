/**
 * A look from nearer: where the tiles are small, pinching, a double tap or a turn of the wheel
 * enlarges the field's inner layer. One finger moves it then, never past its edges.
 *
 * @typedef {import("../types.js").Translate} Translate
 * @typedef {{scale: number, x: number, y: number}} Look
 */

import { button } from "../ui/dom.js";

/** Tiles narrower than this, in pixels, may be looked at from nearer. */
export const SMALL = 18;
const MOST = 3;
/** Two taps within so many milliseconds and pixels are one double tap. */
const SOON = 350;
const NEAR = 30;

const FIT = { scale: 1, x: 0, y: 0 };

/**
 * A look with another scale, the point (x, y) of the field staying where it is, within bounds.
 *
 * @param {Look} look
 * @param {number} scale
 * @param {{x: number, y: number}} at
 * @param {{width: number, height: number}} field
 * @returns {Look}
 */
export function zoomed(look, scale, at, field) {
  const next = Math.max(1, Math.min(MOST, scale));
  const ratio = next / look.scale;
  const x = at.x - (at.x - look.x) * ratio;
  const y = at.y - (at.y - look.y) * ratio;
  return bounded({ scale: next, x, y }, field);
}

/**
 * @param {Look} look
 * @param {{width: number, height: number}} field
 * @returns {Look}
 */
export function bounded({ scale, x, y }, { width, height }) {
  return {
    scale,
    x: Math.min(0, Math.max(width * (1 - scale), x)),
    y: Math.min(0, Math.max(height * (1 - scale), y)),
  };
}

export class Zoom {
  /** @type {Look} */
  #look = FIT;
  #allowed = false;
  /** @type {Map<number, {x: number, y: number}>} fingers on the field, by pointer */
  #fingers = new Map();
  #tapped = { at: 0, x: 0, y: 0 };
  #moved = false;

  /**
   * @param {Translate} t
   * @param {HTMLElement} field
   * @param {HTMLElement} inner
   */
  constructor(t, field, inner) {
    this.field = field;
    this.inner = inner;
    this.back = button(t("domino.zoom_back"), () => this.fit(), "zoom-back");
    this.back.hidden = true;
    field.addEventListener("pointerdown", (event) => this.#down(event));
    field.addEventListener("pointermove", (event) => this.#drag(event));
    for (const end of ["pointerup", "pointercancel", "pointerleave"])
      field.addEventListener(end, (event) => this.#up(/** @type {PointerEvent} */ (event)));
    field.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    // Moving the field is no press on what lies in it.
    field.addEventListener(
      "click",
      (event) => this.#moved && event.detail > 0 && event.stopPropagation(),
      true,
    );
    inner.addEventListener("focusin", (event) => this.#reveal(event));
  }

  get scale() {
    return this.#look.scale;
  }

  /** @param {number} unit  a tile's width now */
  allow(unit) {
    this.#allowed = unit < SMALL;
    this.field.classList.toggle("small", this.#allowed);
    if (!this.#allowed) this.fit();
    else this.#show(this.#look);
  }

  fit() {
    this.#show(FIT);
  }

  get #size() {
    return { width: this.field.clientWidth, height: this.field.clientHeight };
  }

  /** @param {Look} look */
  #show(look) {
    const { scale, x, y } = bounded(look, this.#size);
    const near = scale > 1.01;
    this.#look = near ? { scale, x, y } : FIT;
    this.inner.style.transform = near ? `translate(${x}px, ${y}px) scale(${scale})` : "";
    this.field.classList.toggle("zoomed", near);
    this.back.hidden = !near;
  }

  /** @param {{clientX: number, clientY: number}} event */
  #point({ clientX, clientY }) {
    const { left, top } = this.field.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (!this.#allowed || event.button !== 0) return;
    if (this.#fingers.size === 0) this.#moved = false;
    this.#fingers.set(event.pointerId, this.#point(event));
  }

  /** @param {PointerEvent} event */
  #drag(event) {
    const before = this.#fingers.get(event.pointerId);
    if (!before) return;
    const now = this.#point(event);
    const other = [...this.#fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (!other) {
      if (!this.#moved && Math.hypot(now.x - before.x, now.y - before.y) < 6) return;
      this.#moved = true;
      const { scale, x, y } = this.#look;
      this.#show({ scale, x: x + now.x - before.x, y: y + now.y - before.y });
    } else {
      this.#moved = true;
      const ratio = far(now, other) / Math.max(1, far(before, other));
      const at = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
      const next = zoomed(this.#look, this.#look.scale * ratio, at, this.#size);
      const pan = { x: (now.x - before.x) / 2, y: (now.y - before.y) / 2 };
      this.#show({ ...next, x: next.x + pan.x, y: next.y + pan.y });
    }
    this.#fingers.set(event.pointerId, now);
  }

  /** @param {PointerEvent} event */
  #up(event) {
    if (!this.#fingers.delete(event.pointerId)) return;
    if (event.type !== "pointerup" || this.#moved || this.#fingers.size > 0) return;
    // A press on an end plays; it is half of no double tap.
    if (event.target instanceof Element && event.target.closest("button")) return;
    const { x, y } = this.#point(event);
    const { at, ...last } = this.#tapped;
    const twice = event.timeStamp - at < SOON && far(last, { x, y }) < NEAR;
    this.#tapped = { at: twice ? 0 : event.timeStamp, x, y };
    if (twice) this.#show(this.scale > 1 ? FIT : zoomed(FIT, 2, { x, y }, this.#size));
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    if (!this.#allowed) return;
    event.preventDefault();
    const scale = this.scale * Math.exp(-event.deltaY / 300);
    this.#show(zoomed(this.#look, scale, this.#point(event), this.#size));
  }

  /**
   * What has the focus is in sight.
   *
   * @param {FocusEvent} event
   */
  #reveal({ target }) {
    if (this.scale === 1 || !(target instanceof Element)) return;
    const box = target.getBoundingClientRect();
    const field = this.field.getBoundingClientRect();
    const dx = Math.max(field.left - box.left, 0) || Math.min(field.right - box.right, 0);
    const dy = Math.max(field.top - box.top, 0) || Math.min(field.bottom - box.bottom, 0);
    const { scale, x, y } = this.#look;
    this.#show({ scale, x: x + dx, y: y + dy });
  }
}

/**
 * @param {{x: number, y: number}} a
 * @param {{x: number, y: number}} b
 */
function far(a, b) {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
