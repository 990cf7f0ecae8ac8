/**
 * The viewer's own tiles as buttons, playable ones standing out.
 *
 * @typedef {import("../types.js").Lay} Lay
 * @typedef {import("../types.js").Translate} Translate
 */

import { button, el } from "../ui/dom.js";
import { halves, tileFace } from "./tile.js";

export class Hand {
  /**
   * @param {Translate} t
   * @param {(tile: string) => void} press
   */
  constructor(t, press) {
    this.t = t;
    this.press = press;
    this.root = el("div", { class: "hand", role: "group", "aria-label": t("domino.hand") });
  }

  /**
   * @param {object} shown
   * @param {string[]} shown.tiles
   * @param {Lay[]} shown.lays  what may be laid now
   * @param {boolean} shown.turn  is it the viewer's turn to lay
   * @param {string | null} shown.chosen
   * @param {string | null} shown.pending
   * @param {(end: Lay["end"]) => string} sideName
   */
  update({ tiles, lays, turn, chosen, pending }, sideName) {
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.tile;
    this.root.style.setProperty("--columns", String(columns(tiles.length)));
    const buttons = tiles.map((tile) => {
      const fits = lays.filter((lay) => lay.tile === tile);
      const made = button("", () => this.press(tile), "own");
      made.append(tileFace(...halves(tile)));
      made.dataset.tile = tile;
      made.setAttribute("aria-label", this.#spoken(tile, fits, turn, sideName));
      made.setAttribute("aria-pressed", String(tile === chosen));
      // Dimmed tiles stay buttons: pressing one says why it cannot be laid.
      if (fits.length === 0) made.setAttribute("aria-disabled", "true");
      made.classList.toggle("playable", fits.length > 0);
      made.classList.toggle("dim", turn && fits.length === 0);
      made.classList.toggle("pending", tile === pending);
      return made;
    });
    this.root.replaceChildren(...buttons);
    if (focused) {
      /** @type {HTMLElement | null} */
      (this.root.querySelector(`[data-tile="${focused}"]`))?.focus();
    }
  }

  /**
   * @param {string} tile
   * @param {Lay[]} fits
   * @param {boolean} turn
   * @param {(end: Lay["end"]) => string} sideName
   */
  #spoken(tile, fits, turn, sideName) {
    if (!turn) return tile;
    if (fits.length === 0) return this.t("domino.tile_no", { tile });
    const ends = fits.map((lay) =>
      this.t("domino.tile_end", { side: sideName(lay.end), points: lay.points }),
    );
    return `${tile}: ${ends.join("; ")}`;
  }
}

/**
 * How many stand in a row, so that a full bazaar's worth still fits a phone's width.
 *
 * @param {number} count
 */
function columns(count) {
  if (count <= 7) return 7;
  return count <= 16 ? 8 : 10;
}
