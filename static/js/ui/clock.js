/**
 * A player's two clocks: the move's own seconds as a ring with their number, the reserve under it
 * (T6). They say nothing by themselves to a screen reader; whoever asks is told both.
 *
 * @typedef {import("../types.js").SeatTime} SeatTime
 * @typedef {import("../types.js").Translate} Translate
 */

import { el, setText, svg } from "./dom.js";

/** From here on the ring warns. */
const LOW = 10_000;

export class SeatClock {
  #arc = svg("circle", { class: "arc", cx: 20, cy: 20, r: 16, pathLength: 100 });
  #seconds = el("span", { class: "seconds" });
  #reserve = el("span", { class: "reserve" });

  /** @param {Translate} t */
  constructor(t) {
    this.t = t;
    const track = svg("circle", { class: "track", cx: 20, cy: 20, r: 16 });
    this.root = el(
      "span",
      { class: "clock", role: "timer", "aria-live": "off", hidden: true },
      el(
        "span",
        { class: "ring", "aria-hidden": "true" },
        svg("svg", { viewBox: "0 0 40 40" }, track, this.#arc),
        this.#seconds,
      ),
      el("span", { "aria-hidden": "true" }, this.#reserve),
    );
  }

  /**
   * @param {SeatTime | null} time  null: there is none
   * @param {number} move  milliseconds of a move
   * @param {number} now   site time
   */
  show(time, move, now) {
    this.root.hidden = time === null;
    if (!time) return;
    const { own, reserve, running, low } = timeLeft(time, move, now);
    const seconds = Math.ceil(own / 1000);
    const minutes = clockText(reserve);
    this.root.classList.toggle("running", running);
    this.root.classList.toggle("low", low);
    this.root.classList.toggle("spending", running && own === 0);
    setText(this.#seconds, low && own > 0 ? `${seconds}!` : String(seconds));
    setText(this.#reserve, minutes);
    const part = Math.round((own / move) * 100);
    const dash = `${part} ${100 - part}`;
    if (this.#arc.getAttribute("stroke-dasharray") !== dash)
      this.#arc.setAttribute("stroke-dasharray", dash);
    const spoken = this.t("table.clock", { seconds, reserve: minutes });
    if (this.root.getAttribute("aria-label") !== spoken)
      this.root.setAttribute("aria-label", spoken);
  }
}

/**
 * What is left of a clock.
 *
 * @param {SeatTime} time
 * @param {number} move
 * @param {number} now
 */
export function timeLeft({ reserve_ms: kept, move_until: ends, until }, move, now) {
  if (ends === null || until === null)
    return { own: move, reserve: kept, running: false, low: false };
  const own = Math.min(move, Math.max(0, ends - now));
  const reserve = own > 0 ? kept : Math.max(0, until - now);
  return { own, reserve, running: true, low: (own || reserve) <= LOW };
}

/** @param {number} ms  "1:05" */
export function clockText(ms) {
  const all = Math.ceil(ms / 1000);
  return `${Math.floor(all / 60)}:${String(all % 60).padStart(2, "0")}`;
}
