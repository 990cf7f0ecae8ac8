/**
 * The domino table: plates, chain, count, hand and controls, put together.
 *
 * @typedef {import("../types.js").DominoHandEnd} DominoHandEnd
 * @typedef {import("../types.js").DominoView} DominoView
 * @typedef {import("../types.js").Json} Json
 * @typedef {import("../types.js").Lay} Lay
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").TableEvent} TableEvent
 * @typedef {import("../pages/table.js").Context} Context
 */

import { button, el } from "../ui/dom.js";
import { Panel } from "../ui/panel.js";
import { outcomeTitle, ownSeat, scoreText } from "../ui/people.js";
import { Plate } from "../ui/plate.js";
import { saidBy } from "../ui/said.js";
import { ChainBoard } from "./board.js";
import { Hand } from "./hand.js";
import { handSummary } from "./summary.js";
import { tileBacks } from "./tile.js";
import { countText, handTitle, toldBy } from "./words.js";

export class DominoScreen {
  /** @type {Table | null} */
  #table = null;
  /** @type {Json[]} */
  #pending = [];
  /** @type {string | null} */
  #chosen = null;
  /** The hand whose end was shown last, so that none is shown twice. */
  #ended = 0;
  #over = false;

  /** @param {Context} context */
  constructor(context) {
    const { t } = context;
    this.context = context;
    this.rival = new Plate(t, "rival");
    this.own = new Plate(t, "own");
    this.panel = new Panel(t);
    this.board = new ChainBoard(
      t,
      (lay) => this.#play(lay),
      () => this.#choose(null),
    );
    this.hand = new Hand(t, (tile) => this.#press(tile));
    this.count = el("p", { class: "count" });
    this.bazaar = el("p", { class: "bazaar" });
    this.draw = button(t("domino.draw"), () => context.act([{ action: "draw" }]), "primary");
    this.again = button(t("table.last_hand"), () => this.#showLastHand(), "quiet");
    this.root = el(
      "div",
      { class: "board domino" },
      this.rival.root,
      el("div", { class: "stage" }, this.board.root, this.panel.root),
      this.count,
      this.own.root,
      this.hand.root,
      el(
        "div",
        { class: "controls" },
        this.bazaar,
        this.draw,
        context.between.root,
        this.again,
      ),
    );
    this.root.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.#choose(null);
    });
  }

  /**
   * @param {Table} table
   * @param {TableEvent[]} events  that led here; none after a snapshot
   * @param {Json[]} pending
   */
  update(table, events, pending) {
    const before = this.#table;
    const view = /** @type {DominoView} */ (table.view);
    this.#table = table;
    this.#pending = pending;
    if (before && before.ply !== table.ply) this.#chosen = null;
    this.#draw();
    const { t } = this.context;
    const told = [...saidBy(t, table, events), ...toldBy(t, table, events)];
    if (told.length > 0) this.context.bar.tell(told.join(" · "));
    else if (before === null) this.#tellOpening(view);
    this.#showEnds(before, table);
  }

  /**
   * @param {Table} table
   * @param {number} now  site time
   */
  tick(table, now) {
    const own = ownSeat(table);
    this.own.tick(table, own, now);
    this.rival.tick(table, table.seats.length - 1 - own, now);
  }

  /** @param {DominoView} view */
  #tellOpening(view) {
    const { t, bar } = this.context;
    if (view.must_open && view.turn === view.seat) bar.tell(t("domino.must_open", { tile: view.must_open }));
  }

  get #view() {
    return /** @type {DominoView} */ (this.#table?.view);
  }

  /** The lays offered now: none while something is not saved yet. */
  get #lays() {
    if (this.#pending.length > 0) return [];
    return this.#view.legal.filter((one) => one.action === "lay");
  }

  #draw() {
    const table = this.#table;
    if (!table) return;
    const { t } = this.context;
    const view = this.#view;
    const lays = this.#lays;
    const laying = /** @type {Lay | undefined} */ (
      this.#pending.find((action) => action.action === "lay")
    );
    this.board.update(
      view,
      lays.filter((lay) => lay.tile === this.#chosen),
      laying ?? null,
    );
    const own = ownSeat(table);
    const rival = table.seats.length - 1 - own;
    this.#plate(this.rival, rival, table, view);
    this.#plate(this.own, own, table, view);
    this.hand.update(
      {
        tiles: view.tiles,
        lays,
        turn: view.turn !== null && view.turn === view.seat && this.#pending.length === 0,
        chosen: this.#chosen,
        pending: laying?.tile ?? null,
      },
      (end) => this.board.sideName(end),
    );
    this.count.textContent = countText(t, view);
    const { left, protected: kept } = view.bazaar;
    this.bazaar.replaceChildren(
      el("span", {}, t("domino.bazaar", { left })),
      el("span", {}, t("domino.protected", { kept })),
    );
    this.draw.hidden = view.seat === null || table.ended !== null || table.pause !== null;
    this.draw.disabled =
      this.#pending.length > 0 || !view.legal.some((one) => one.action === "draw");
    this.again.hidden = view.last_hand === null && table.ended === null;
    this.again.textContent = t(table.ended ? "table.result" : "table.last_hand");
  }

  /**
   * @param {Plate} plate
   * @param {number} seat
   * @param {Table} table
   * @param {DominoView} view
   */
  #plate(plate, seat, table, view) {
    const { t } = this.context;
    const count = view.counts[seat] ?? 0;
    const shown = {
      score: t("table.score", { points: view.score[seat] ?? 0, target: view.target }),
      turn: view.turn === seat,
      under: t("domino.held", { count }),
    };
    plate.update(table, seat, shown, seat === view.seat ? "" : tileBacks(count));
  }

  /**
   * First press chooses; a second one plays where there is only one way.
   *
   * @param {string} tile
   */
  #press(tile) {
    const fits = this.#lays.filter((lay) => lay.tile === tile);
    if (fits.length === 0) return this.#whyNot(tile);
    this.panel.hide();
    if (this.#chosen !== tile) return this.#choose(tile);
    const [only] = fits;
    if (only && fits.length === 1) this.#play(only);
    else this.#choose(null);
  }

  /** @param {string} tile */
  #whyNot(tile) {
    const { t, bar } = this.context;
    const view = this.#view;
    if (this.#pending.length > 0) bar.refuse(t("table.still_saving"));
    else if (view.turn !== view.seat) bar.refuse(t("refusal.not_your_turn"));
    else if (view.must_open) bar.refuse(t("domino.must_open", { tile: view.must_open }));
    else bar.refuse(t("domino.tile_no", { tile }));
  }

  /** @param {string | null} tile */
  #choose(tile) {
    this.#chosen = tile;
    this.#draw();
    const { t, bar } = this.context;
    const fits = this.#lays.filter((lay) => lay.tile === tile);
    if (tile && fits.length === 1) bar.tell(t("domino.press_again", { tile }));
    else if (tile) bar.tell(t("domino.choose_end", { tile }));
  }

  /** @param {Lay} lay */
  #play(lay) {
    this.#chosen = null;
    this.context.act([{ action: "lay", tile: lay.tile, end: lay.end }]);
  }

  /**
   * @param {Table | null} before
   * @param {Table} table
   */
  #showEnds(before, { pause, ended, view }) {
    const hand = view.last_hand?.hand ?? 0;
    if (ended && !this.#over) {
      this.#over = true;
      this.#showOutcome();
    } else if (!ended && hand !== this.#ended && (before || pause)) {
      this.#showLastHand();
    }
    this.#ended = hand;
    // The next hand is dealt: the look at the last one is over.
    if (before?.pause && !pause && !ended) this.panel.hide();
  }

  #showLastHand() {
    const table = this.#table;
    const ended = this.#view.last_hand;
    if (!table) return;
    if (table.ended) return this.#showOutcome();
    if (!ended) return;
    const { t } = this.context;
    this.panel.show(
      handTitle(t, table, ended),
      [
        ...handSummary(t, table, ended),
        el("p", { class: "running" }, scoreText(t, table, ended.score, this.#view.target)),
      ],
      table.pause !== null,
    );
  }

  #showOutcome() {
    const table = this.#table;
    const { last_hand: hand, target } = this.#view;
    if (!table?.ended) return;
    const { t, ending } = this.context;
    const summary =
      hand && table.ended.reason === "points"
        ? [el("h3", {}, handTitle(t, table, hand)), ...handSummary(t, table, hand)]
        : [];
    this.panel.show(
      outcomeTitle(t, table, table.ended),
      [
        ending.reason,
        ending.coins,
        ...summary,
        el("p", { class: "running" }, scoreText(t, table, table.ended.score, target)),
        ending.root,
      ],
      true,
    );
  }
}
