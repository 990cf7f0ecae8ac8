/**
 * The bazaar: how many tiles can still be drawn, and the button that draws one, or, as a setting,
 * one after the other until something can be laid.
 *
 * @typedef {import("../types.js").DominoView} DominoView
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").Translate} Translate
 * @typedef {import("../ui/settings.js").Settings} Settings
 */

import { button, el } from "../ui/dom.js";
import { TRAVEL, animate } from "./flight.js";
import { tileBack } from "./tile.js";
import { mustDraw } from "./words.js";

export class Bazaar {
  /** @type {number | null} the ply at which the last of a row of draws was asked for */
  #asked = null;
  #pile = el("span", { class: "pile", "aria-hidden": "true" }, tileBack(), tileBack());
  #words = el("span", { class: "words" });
  /** @type {Table | null} */
  #table = null;

  /**
   * @param {Translate} t
   * @param {Settings} settings
   * @param {(byItself: boolean) => void} ask  for one tile
   */
  constructor(t, settings, ask) {
    this.t = t;
    this.ask = ask;
    this.root = el("p", { class: "bazaar" }, this.#pile, this.#words);
    this.draw = button(t("domino.draw"), () => {
      this.#asked = settings.get("draw_until") ? (this.#table?.ply ?? null) : null;
      ask(false);
    }, "primary");
  }

  /** Where the tiles lie, in the window. */
  get place() {
    const back = this.#pile.firstElementChild ?? this.#pile;
    return back.getBoundingClientRect();
  }

  /**
   * @param {Table} table
   * @param {boolean} pending
   */
  update(table, pending) {
    const view = /** @type {DominoView} */ (table.view);
    const { left, protected: kept } = view.bazaar;
    this.#table = table;
    this.#words.replaceChildren(
      el("span", {}, this.t("domino.bazaar", { left })),
      el("span", { class: "kept" }, this.t("domino.protected", { kept })),
    );
    this.root.classList.toggle("empty", left === 0);
    this.draw.hidden = view.seat === null || table.ended !== null || table.pause !== null;
    this.draw.disabled = !mustDraw(view);
    this.draw.setAttribute("aria-busy", String(pending && mustDraw(view)));
  }

  /**
   * The next draw of a row, once the one before is saved: while nothing can be laid and there are
   * tiles. What was refused is not asked for again.
   *
   * @param {Table} table
   * @param {boolean} pending
   */
  goOn(table, pending) {
    if (this.#asked === null || pending) return;
    const again = mustDraw(table.view) && table.ply > this.#asked;
    this.#asked = again ? table.ply : null;
    // Not while the page is still showing what came.
    if (again) queueMicrotask(() => this.ask(true));
  }

  /**
   * A tile goes to somebody else's plate, face down.
   *
   * @param {HTMLElement} plate
   */
  async deal(plate) {
    const from = this.place;
    const to = (plate.querySelector(".backs .tile") ?? plate).getBoundingClientRect();
    if (from.width === 0) return;
    const ghost = el("div", { class: "ghost", "aria-hidden": "true" }, tileBack());
    ghost.style.width = `${from.width}px`;
    ghost.style.height = `${from.height}px`;
    this.root.append(ghost);
    /** @param {DOMRect} at */
    const at = ({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` });
    await animate(ghost, [at(from), at(to)], TRAVEL);
    ghost.remove();
  }
}
