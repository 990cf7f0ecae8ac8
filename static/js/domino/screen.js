/**
 * The domino table: plates, chain, count, hand and controls, put together.
 *
 * @typedef {import("../types.js").DominoView} DominoView
 * @typedef {import("../types.js").Json} Json
 * @typedef {import("../types.js").Lay} Lay
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").TableEvent} TableEvent
 * @typedef {import("../pages/table.js").Context} Context
 */

import { button, el, isLost } from "../ui/dom.js";
import { Ends } from "../ui/ends.js";
import { ownSeat } from "../ui/people.js";
import { Plate } from "../ui/plate.js";
import { saidBy } from "../ui/said.js";
import { Bazaar } from "./bazaar.js";
import { ChainBoard } from "./board.js";
import { telling } from "./ends.js";
import { Grab } from "./grab.js";
import { Hand } from "./hand.js";
import { hintsFor, refusedHint } from "./hints.js";
import { Strip } from "./strip.js";
import { tileBacks } from "./tile.js";
import { Unseen } from "./unseen.js";
import { arithmetic, mustDraw, toldBy, whyNot } from "./words.js";

export class DominoScreen {
  /** @type {Table | null} */
  #table = null;
  /** @type {Json[]} */
  #pending = [];
  /** @type {string | null} */
  #chosen = null;
  /** What was said of the tile that is chosen. */
  #hint = "";
  /** @type {Map<string, any>} how tiles on their way were laid, for when they land */
  #laid = new Map();

  /** @param {Context} context */
  constructor(context) {
    const { t, settings } = context;
    this.context = context;
    this.rival = new Plate(t, "rival");
    this.own = new Plate(t, "own");
    this.ends = new Ends(context, telling(t));
    this.board = new ChainBoard(t, {
      play: (lay) => this.#play(lay),
      cancel: () => this.#choose(null),
      origin: (tile, seat) => this.#origin(tile, seat),
      landed: (tile) => this.#landed(tile),
    });
    this.hand = new Hand(t, (tile, byKey) => this.#press(tile, byKey));
    this.strip = new Strip(t);
    this.bazaar = new Bazaar(t, settings, (byItself) =>
      context.act([{ action: "draw" }], byItself),
    );
    this.unseen = new Unseen(t);
    this.sort = button("⇅", () => this.hand.sort(), "tool");
    this.sort.setAttribute("aria-label", t("domino.sort"));
    this.sort.title = t("domino.sort");
    this.own.clock.root.before(el("span", { class: "hand-tools" }, this.unseen.button, this.sort));
    this.root = el(
      "div",
      { class: "board domino", tabindex: -1 },
      this.rival.root,
      context.hints.root,
      el("div", { class: "stage" }, this.board.root),
      this.strip.root,
      this.own.root,
      this.hand.root,
      this.ends.panel.root,
      el(
        "div",
        { class: "controls" },
        this.bazaar.root,
        this.bazaar.draw,
        context.between.root,
        this.ends.again,
      ),
      this.unseen.root,
    );
    this.grab = new Grab(this.root, this.hand, this.board.places, {
      take: (tile) => this.#take(tile),
      play: (lay) => this.#play(lay),
      whyNot: (tile) => this.#fits(tile).length === 0 && this.#whyNot(tile),
      back: () => this.#choose(null, false),
    });
    this.root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      this.ends.panel.hide();
      this.#choose(null);
    });
    settings.listen(() => this.root.isConnected && this.#draw());
  }

  /**
   * @param {Table} table
   * @param {TableEvent[]} events  that led here; none after a snapshot
   * @param {Json[]} pending
   */
  update(table, events, pending) {
    const before = this.#table;
    this.#table = table;
    this.#pending = pending;
    if (before && before.ply !== table.ply) {
      const held = this.grab.held;
      this.#chosen = held && this.#fits(held).length > 0 ? held : null;
    }
    for (const event of /** @type {any[]} */ (events)) {
      if (event.event === "laid") this.#laid.set(event.tile, event);
      if (event.event === "drew" && event.seat !== ownSeat(table))
        this.bazaar.deal(this.rival.root);
    }
    this.#draw();
    this.#tell(before, events);
    this.ends.update(table);
    const { t, hints } = this.context;
    hints.offer(hintsFor(t, table, events), pending.length > 0);
    this.bazaar.goOn(table, pending.length > 0);
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

  /**
   * @param {Table | null} before
   * @param {TableEvent[]} events
   */
  #tell(before, events) {
    const { t, bar } = this.context;
    const table = this.#table;
    const view = this.#view;
    if (!table) return;
    const told = [...saidBy(t, table, events), ...toldBy(t, table, events)];
    const yours = view.turn !== null && view.turn === view.seat && !table.pause;
    const news = before === null || told.length > 0;
    if (news && yours && mustDraw(view)) told.push(t("domino.must_draw"));
    if (news && yours && view.must_open) told.push(t("domino.must_open", { tile: view.must_open }));
    if (told.length > 0) bar.tell(told.join(" · "));
  }

  get #view() {
    return /** @type {DominoView} */ (this.#table?.view);
  }

  /** The lays offered now: none while something is not saved yet. */
  get #lays() {
    if (this.#pending.length > 0) return [];
    return this.#view.legal.filter((one) => one.action === "lay");
  }

  /** @param {string | null} tile */
  #fits(tile) {
    return this.#lays.filter((lay) => lay.tile === tile);
  }

  #draw() {
    const table = this.#table;
    if (!table) return;
    const { settings } = this.context;
    const view = this.#view;
    const focused = document.activeElement;
    const inside = this.root.contains(focused);
    // What is saved lies in the chain, though its answer may not have come yet.
    const laying = /** @type {Lay[]} */ (
      this.#pending.filter((action) => action.action === "lay")
    ).find((lay) => view.tiles.includes(lay.tile));
    this.board.update(view, { offered: this.#fits(this.#chosen), pending: laying ?? null });
    const own = ownSeat(table);
    this.#plate(this.rival, table.seats.length - 1 - own, table, view);
    this.#plate(this.own, own, table, view);
    this.hand.update(
      {
        hand: view.hand,
        tiles: view.tiles,
        lays: this.#lays,
        turn: view.turn !== null && view.turn === view.seat && this.#pending.length === 0,
        chosen: this.#chosen,
        pending: laying?.tile ?? null,
        sort: settings.get("sort"),
      },
      (end) => this.board.sideName(end),
      this.bazaar.place,
    );
    this.strip.update(view);
    this.bazaar.update(table, this.#pending.length > 0);
    this.unseen.update(view, settings.get("unseen") && table.stake === 0);
    const over = table.pause !== null || table.ended !== null;
    this.root.classList.toggle("over", over);
    this.ends.again.hidden = view.last_hand === null && table.ended === null;
    this.sort.hidden = over || view.tiles.length < 2 || settings.get("sort");
    if (inside && (focused === this.root || isLost(focused))) this.focus();
  }

  /** Who plays by keyboard goes on where something can be done, not at the page's beginning. */
  focus() {
    const asked = [this.bazaar.draw, this.context.between.root, this.context.ending.actions];
    const found = asked.flatMap((one) => [one, ...one.querySelectorAll("button")]);
    const next = found.find((one) => one instanceof HTMLButtonElement && !isLost(one));
    if (next instanceof HTMLElement) next.focus();
    else if (this.hand.root.firstElementChild) this.hand.focus();
    else this.root.focus();
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
   * Where a tile that is laid comes from: the air, the viewer's hand, or the tiles at a plate.
   *
   * @param {string} tile
   * @param {number | null} seat
   */
  #origin(tile, seat) {
    const own = this.grab.place(tile) ?? this.hand.place(tile);
    if (own || seat === null || !this.#table) return own;
    const plate = seat === ownSeat(this.#table) ? this.own : this.rival;
    const back = plate.root.querySelector(".backs .tile") ?? plate.root;
    return back.getBoundingClientRect();
  }

  /** @param {string} tile */
  #landed(tile) {
    const { feel } = this.context;
    const laid = this.#laid.get(tile);
    this.#laid.delete(tile);
    feel("tile");
    if (!laid?.points) return this.board.tally.clear();
    this.board.score(tile, arithmetic(laid.terms, laid.sum), laid.points);
    feel("score");
  }

  /**
   * First press chooses; a second one plays where there is only one way.
   *
   * @param {string} tile
   * @param {boolean} byKey
   */
  #press(tile, byKey) {
    const fits = this.#fits(tile);
    if (fits.length === 0) return this.#whyNot(tile);
    this.ends.panel.hide();
    const [only] = fits;
    if (this.#chosen !== tile) {
      this.#choose(tile);
      if (byKey && fits.length > 1) this.board.places.focus();
    } else if (only && fits.length === 1) this.#play(only);
    else this.#choose(null);
  }

  /**
   * A tile is taken in the hand: its ends light.
   *
   * @param {string} tile
   */
  #take(tile) {
    const fits = this.#fits(tile).length > 0;
    this.#choose(fits ? tile : null, false);
    return fits;
  }

  /** @param {string} tile */
  #whyNot(tile) {
    const { t, bar, hints } = this.context;
    if (this.#chosen) this.#choose(null);
    if (this.#pending.length > 0) bar.refuse(t("table.still_saving"), "saving");
    else if (this.#table) {
      bar.refuse(whyNot(t, this.#table, this.#view, tile));
      hints.offer([...hintsFor(t, this.#table, []), ...refusedHint(t, this.#table)]);
    }
  }

  /**
   * @param {string | null} tile
   * @param {boolean} [told]
   */
  #choose(tile, told = true) {
    this.#chosen = tile;
    this.#draw();
    const { t, bar } = this.context;
    const fits = this.#fits(tile);
    if (!tile) bar.untell(this.#hint);
    if (!tile || !told) return;
    this.#hint = t(fits.length === 1 ? "domino.press_again" : "domino.choose_end", { tile });
    bar.tell(this.#hint);
  }

  /** @param {Lay} lay */
  #play(lay) {
    this.#chosen = null;
    this.context.act([{ action: "lay", tile: lay.tile, end: lay.end }]);
  }
}
