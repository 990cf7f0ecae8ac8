/**
 * The nardi table: plates with dice, board and controls, put together.
 *
 * @typedef {import("../types.js").Json} Json
 * @typedef {import("../types.js").NardiView} NardiView
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").TableEvent} TableEvent
 * @typedef {import("../pages/table.js").Context} Context
 */

import { el, isLost, still } from "../ui/dom.js";
import { Ends } from "../ui/ends.js";
import { ownSeat } from "../ui/people.js";
import { saidBy } from "../ui/said.js";
import { byItself } from "./auto.js";
import { NardiBoard } from "./board.js";
import { Controls } from "./controls.js";
import { telling } from "./ends.js";
import { hintsFor } from "./hints.js";
import { actsOf, marksOf, underway } from "./moves.js";
import { BAR, keyOf, positionOf } from "./position.js";
import { Scene } from "./scene.js";
import { Seat } from "./seat.js";
import { deadText, openingText, toldBy, turnText } from "./words.js";

/** More changes than this waiting to be shown: the viewer was away, so show the last at once. */
const MOST_WAITING = 6;

export class NardiScreen {
  /** @type {Table | null} */
  #table = null;
  /** @type {Json[]} */
  #pending = [];
  /** @type {number | null} */
  #chosen = null;
  /** What was said of the checker that is chosen. */
  #hint = "";
  /** Has the viewer taken back in this turn? */
  #byHand = false;
  /** The ply at which something last went by itself: what is refused is not asked again. */
  #tried = -1;
  /** Changes are shown one after the other, each after the motion of the one before. */
  #showing = Promise.resolve();
  #waiting = 0;

  /** @param {Context} context */
  constructor(context) {
    const { t, between, settings } = context;
    this.context = context;
    this.rival = new Seat(t, "rival", null);
    this.own = new Seat(t, "own", () => this.#act(this.#view.can_confirm ? "confirm" : "roll"));
    this.ends = new Ends(context, telling(t));
    this.board = new NardiBoard(t, {
      press: (point) => this.#press(point),
      choose: (point) => this.#choose(point),
      put: (point, way) => this.#play(point, way.dice, true),
      cancel: () => this.#choose(null),
      miss: (point) => this.#miss(point),
    });
    this.scene = new Scene(this.board, this, context.feel);
    this.controls = new Controls(
      t,
      (action) => this.#act(action),
      between.root,
      this.ends.again,
    );
    this.root = el(
      "div",
      { class: "board nardi" },
      this.rival.root,
      context.hints.root,
      el("div", { class: "stage" }, this.board.root),
      this.own.root,
      this.ends.panel.root,
      this.controls.root,
    );
    this.root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      this.ends.panel.hide();
      this.#choose(null);
    });
    settings.listen(() => this.#table && this.#goByItself());
  }

  /**
   * @param {Table} table
   * @param {TableEvent[]} events  that led here; none after a snapshot
   * @param {Json[]} pending
   */
  update(table, events, pending) {
    this.#waiting += 1;
    this.root.setAttribute("aria-busy", "true");
    // Whoever asks for something has seen enough.
    if (pending.length > 0) this.scene.skip();
    this.#showing = this.#showing.then(() => this.#show(table, events, pending));
  }

  /**
   * @param {Table} table
   * @param {TableEvent[]} events
   * @param {Json[]} pending
   */
  async #show(table, events, pending) {
    const before = this.#table;
    const { t, bar } = this.context;
    const told = [...saidBy(t, table, events), ...toldBy(t, table, events)];
    // A die that cannot be played is said at once, with its reason.
    if (told.length > 0) bar.tell([...told, ...this.#deadTexts(table.view)].join(" · "));
    if (!still() && events.some(({ event }) => event === "opening_rolled")) this.#begin(table);
    if (this.#inTime) await this.scene.play(events, ownSeat(table), before !== null);
    this.#waiting -= 1;
    this.#table = table;
    this.#pending = pending;
    if (pending.length === 0) this.scene.put = 0;
    if (before && before.ply !== table.ply) this.#chosen = null;
    if (table.view.phase === "roll") this.#byHand = false;
    this.#draw();
    if (before === null) this.#tellOpening();
    this.ends.update(table);
    this.context.hints.offer(hintsFor(t, table, events), pending.length > 0);
    if (this.#waiting === 0) this.root.removeAttribute("aria-busy");
    if (this.#inTime && events.some(({ event }) => event === "no_move")) await this.scene.look();
    if (this.#waiting === 0) this.#goByItself();
  }

  /**
   * @param {Table} table
   * @param {number} now  site time
   */
  tick(table, now) {
    const own = ownSeat(table);
    this.own.plate.tick(table, own, now);
    this.rival.plate.tick(table, table.seats.length - 1 - own, now);
  }

  /**
   * A hand begins: the board stands there while the opening dice fall.
   *
   * @param {Table} table
   */
  #begin(table) {
    this.#table = table;
    this.ends.panel.hide();
    this.#draw(false);
  }

  /**
   * The next hand's view comes with the end of this one: until the pause is over the board stays
   * as it was left.
   *
   * @param {Table} table
   * @param {number} own  the seat at the lower edge
   */
  #position({ pause, view }, own) {
    const { sides, last_hand } = /** @type {NardiView} */ (view);
    return positionOf(pause && last_hand ? last_hand.sides : sides, own);
  }

  /** Is there anybody to look, and no more behind it than they can follow? */
  get #inTime() {
    return !document.hidden && this.#waiting <= MOST_WAITING;
  }

  get #view() {
    return /** @type {NardiView} */ (this.#table?.view);
  }

  /** May the viewer act now? */
  get #asked() {
    const { turn, seat } = this.#view;
    return turn !== null && turn === seat && this.#pending.length === 0;
  }

  #tellOpening() {
    const { t, bar } = this.context;
    const table = this.#table;
    const rolled = this.#view.opening.at(-1);
    if (!table) return;
    const told = [];
    if (this.#view.last_turn) told.push(turnText(t, table, this.#view.last_turn));
    else if (rolled) told.push(openingText(t, table, rolled));
    if (table.you !== null && this.#view.hand === 1 && !this.#view.last_turn)
      told.push(t(`nardi.you_play.${table.you === 0 ? "light" : "dark"}`));
    bar.tell([...this.#deadTexts(this.#view), ...told].join(" · "));
  }

  /** @param {boolean} [ready]  false: something is still to be seen before one may act */
  #draw(ready = true) {
    const table = this.#table;
    if (!table) return;
    const focused = document.activeElement;
    const view = this.#view;
    const own = ownSeat(table);
    const asked = ready && this.#asked;
    this.board.update({
      position: this.#position(table, own),
      light: own === 0,
      watched: table.you === null,
      asked: asked && view.phase === "move",
      reach: asked ? (view.reach ?? {}) : {},
      chosen: this.#chosen,
      marks: marksOf(view, own),
      pending: underway(this.#pending),
      put: this.scene.put > 0,
    });
    const { t } = this.context;
    const does = view.phase === "roll" ? "nardi.roll" : view.can_confirm ? "nardi.confirm" : "";
    this.rival.update(table, view, table.seats.length - 1 - own, "");
    this.own.update(table, view, own, asked && does ? t(does) : "");
    this.controls.update(table, view);
    if (focused && this.root.contains(focused)) this.#keepFocus(focused);
  }

  /**
   * Who plays by keyboard is never left without a place.
   *
   * @param {Element} focused  before what was drawn just now
   */
  #keepFocus(focused) {
    const { spots } = this.board;
    if (focused === spots.root || isLost(focused)) this.focus();
  }

  /** Who plays by keyboard goes on where something can be done. */
  focus() {
    const next = this.controls.asked;
    if (next) next.focus();
    else this.board.spots.focus();
  }

  /** @param {number} point */
  #press(point) {
    const chosen = this.#chosen;
    this.ends.panel.hide();
    if (chosen !== null) {
      const way = this.#ways(chosen).find((one) => one.to === point);
      if (way) return this.#play(chosen, way.dice);
      const die = this.#view.press?.[keyOf(chosen)];
      if (point === chosen && die !== undefined) return this.#play(chosen, [die]);
    }
    if (this.#ways(point).length > 0) this.#choose(point);
    else this.#whyNot();
  }

  /** @param {number} point */
  #ways(point) {
    return this.#view.reach?.[keyOf(point)] ?? [];
  }

  /** @param {NardiView} view */
  #deadTexts(view) {
    return (view.dead ?? []).map((one) => deadText(this.context.t, one));
  }

  #whyNot() {
    const { t, bar } = this.context;
    const dead = this.#deadTexts(this.#view).join(" · ");
    const entering = this.#ways(BAR).length > 0;
    this.#choose(null);
    bar.refuse(dead || t(entering ? "refusal.bar_first" : "nardi.cannot_move"));
  }

  /**
   * A place was pressed where nothing can be done.
   *
   * @param {number} point
   */
  #miss(point) {
    const chosen = this.#chosen;
    this.#choose(null);
    if (!this.#table || !this.#asked || this.#view.phase !== "move") return;
    const { t, bar } = this.context;
    const theirs = (this.#position(this.#table, ownSeat(this.#table)).rival[point] ?? 0) > 0;
    if (theirs && chosen === null) bar.refuse(t("nardi.not_yours"));
    else if (chosen !== null) bar.refuse(t("nardi.cannot_land"));
  }

  /** @param {number | null} point */
  #choose(point) {
    if (!this.#table) return;
    this.#chosen = point;
    this.#draw();
    const { t, bar } = this.context;
    if (point === null) return bar.untell(this.#hint);
    const die = this.#view.press?.[keyOf(point)] ?? "";
    this.#hint = [t("nardi.choose_point", { die }), ...this.#deadTexts(this.#view)].join(" · ");
    bar.tell(this.#hint);
  }

  /**
   * @param {number} source
   * @param {number[]} dice
   * @param {boolean} [put]  has the hand done it already
   */
  #play(source, dice, put = false) {
    this.#chosen = null;
    this.scene.put = put ? dice.length : 0;
    this.context.act(actsOf(source, dice));
    this.#draw();
  }

  /** @param {"roll" | "confirm" | "take_back"} action */
  #act(action) {
    if (action === "take_back") this.#byHand = true;
    this.context.act([{ action }]);
  }

  /** What the settings leave to the page, once for a position. */
  #goByItself() {
    const table = this.#table;
    if (!table || table.pause || table.ended || !this.#asked || this.#tried === table.ply) return;
    if (this.root.closest(".cut-off")) return;
    const { settings, act } = this.context;
    const position = positionOf(table.view.sides, ownSeat(table));
    const action = byItself(this.#view, settings, position, this.#byHand);
    if (!action) return;
    this.#tried = table.ply;
    act([action], true);
  }
}
