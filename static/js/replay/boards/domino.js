/**
 * A hand of domino as it was played: the chain between both hands, which lie open, and what is
 * left of the bazaar.
 *
 * @typedef {import("../../types.js").DominoView} DominoView
 * @typedef {import("../../types.js").Frame} Frame
 * @typedef {import("../../types.js").Table} Table
 * @typedef {import("../../types.js").Translate} Translate
 * @typedef {import("../player.js").Shown} Shown
 */

import { ChainBoard } from "../../domino/board.js";
import { Strip } from "../../domino/strip.js";
import { arithmetic, toldBy } from "../../domino/words.js";
import { el } from "../../ui/dom.js";
import { seatName } from "../../ui/people.js";
import { Plate } from "../../ui/plate.js";
import { lower } from "../moment.js";
import { OpenTiles } from "./open.js";

export class DominoReplay {
  static told = toldBy;
  static pace = 1400;

  /** @type {Frame | null} */
  #drawn = null;
  /** @type {any} what was laid in the frame that is shown */
  #laid = null;
  /** Which seat is at the lower edge. */
  #own = 0;

  /** @param {Translate} t */
  constructor(t) {
    this.t = t;
    this.plates = { rival: new Plate(t, "rival"), own: new Plate(t, "own") };
    this.hands = { rival: new OpenTiles("rival"), own: new OpenTiles("own") };
    for (const { clock } of Object.values(this.plates)) clock.root.remove();
    this.chain = new ChainBoard(t, {
      play() {},
      cancel() {},
      origin: (tile, seat) => this.#handOf(seat).place(tile),
      landed: (tile) => this.#landed(tile),
    });
    this.strip = new Strip(t);
    this.left = el("span", {});
    this.bazaar = new OpenTiles("rest");
    this.root = el(
      "div",
      { class: "scene domino" },
      this.plates.rival.root,
      this.hands.rival.root,
      el("div", { class: "stage" }, this.chain.root),
      this.strip.root,
      this.hands.own.root,
      this.plates.own.root,
      el("div", { class: "bazaar-rest" }, this.left, this.bazaar.root),
    );
  }

  /** @param {Shown} shown */
  show({ table, frame, from, before }) {
    const { t } = this;
    const view = /** @type {DominoView} */ (frame.view);
    const moves = before !== null && before === this.#drawn;
    this.#drawn = frame;
    this.#own = lower(from);
    this.#laid = frame.events.find(({ event }) => event === "laid") ?? null;
    if (!moves) this.chain.tally.clear();
    // While the hands still hold what is laid now, so that it comes from there.
    this.chain.update(view, { offered: [], pending: null, calm: !moves });
    const drawn = this.bazaar.firstPlace;
    const rival = table.seats.length - 1 - this.#own;
    this.#side("rival", rival, table, view, moves ? drawn : null);
    this.#side("own", this.#own, table, view, moves ? drawn : null);
    this.strip.update(view);
    const rest = view.bazaar_tiles ?? [];
    this.left.textContent = t("replay.bazaar", { count: rest.length });
    const kept = rest.slice(rest.length - view.bazaar.protected);
    this.bazaar.update(this.left.textContent, rest, null, kept, t("replay.protected"));
    this.root.classList.toggle("above", from === "above");
  }

  /** @param {number | null} seat */
  #handOf(seat) {
    return seat === this.#own ? this.hands.own : this.hands.rival;
  }

  /**
   * @param {"rival" | "own"} side
   * @param {number} seat
   * @param {Table} table
   * @param {DominoView} view
   * @param {DOMRect | null} from  where a tile that is drawn comes from
   */
  #side(side, seat, table, view, from) {
    const { t } = this;
    const name = seatName(t, table, seat);
    const tiles = view.all_tiles?.[seat] ?? [];
    const score = t("table.score", { points: view.score[seat] ?? 0, target: view.target });
    const under = t("domino.held", { count: tiles.length });
    this.plates[side].update(table, seat, { score, turn: view.turn === seat, under });
    this.hands[side].update(t("replay.tiles_of", { name }), tiles, from);
  }

  /** @param {string} tile */
  #landed(tile) {
    const laid = this.#laid;
    if (laid?.tile !== tile || !laid.points) return this.chain.tally.clear();
    this.chain.score(tile, arithmetic(laid.terms, laid.sum), laid.points);
  }
}
