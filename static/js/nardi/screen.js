/**
 * The nardi table: plates with dice, board and controls, put together.
 *
 * @typedef {import("../types.js").Json} Json
 * @typedef {import("../types.js").NardiView} NardiView
 * @typedef {import("../types.js").Reach} Reach
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").TableEvent} TableEvent
 * @typedef {import("../pages/table.js").Context} Context
 */

import { button, el, still } from "../ui/dom.js";
import { Panel } from "../ui/panel.js";
import { outcomeTitle, ownSeat, scoreText, seatName } from "../ui/people.js";
import { Plate } from "../ui/plate.js";
import { saidBy } from "../ui/said.js";
import { NardiBoard } from "./board.js";
import { diceRow, rollName } from "./dice.js";
import { BAR, OFF, keyOf, onScreen, positionOf } from "./position.js";
import { deadText, handTitle, inWords, openingText, toldBy } from "./words.js";

/** More changes than this waiting to be shown: the viewer was away, so show the last at once. */
const MOST_WAITING = 6;

export class NardiScreen {
  /** @type {Table | null} */
  #table = null;
  /** @type {Json[]} */
  #pending = [];
  /** @type {number | null} */
  #chosen = null;
  #ended = 0;
  #over = false;
  /** Changes are shown one after the other, each after the motion of the one before. */
  #showing = Promise.resolve();
  #waiting = 0;

  /** @param {Context} context */
  constructor(context) {
    const { t, act } = context;
    this.context = context;
    this.rival = new Plate(t, "rival");
    this.own = new Plate(t, "own");
    this.panel = new Panel(t);
    this.board = new NardiBoard(
      t,
      (point) => this.#press(point),
      () => this.#choose(null),
    );
    this.roll = button(t("nardi.roll"), () => act([{ action: "roll" }]), "primary");
    this.confirm = button(t("nardi.confirm"), () => act([{ action: "confirm" }]), "primary");
    this.back = button(t("nardi.take_back"), () => act([{ action: "take_back" }]));
    this.again = button(t("table.last_hand"), () => this.#showLastHand(), "quiet");
    this.root = el(
      "div",
      { class: "board nardi" },
      this.rival.root,
      el("div", { class: "stage" }, this.board.root, this.panel.root),
      this.own.root,
      el(
        "div",
        { class: "controls" },
        this.back,
        this.roll,
        this.confirm,
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
    this.#waiting += 1;
    this.root.setAttribute("aria-busy", "true");
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
    if (before) await this.#slides(table, events);
    this.#waiting -= 1;
    this.#table = table;
    this.#pending = pending;
    if (before && before.ply !== table.ply) this.#chosen = null;
    this.#draw();
    if (before === null) this.#tellOpening();
    this.#showEnds(before, table);
    if (this.#waiting === 0) this.root.removeAttribute("aria-busy");
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
   * The other player's checkers go one at a time.
   *
   * @param {Table} table
   * @param {TableEvent[]} events
   */
  async #slides(table, events) {
    if (still() || document.hidden || this.#waiting > MOST_WAITING) return;
    for (const event of /** @type {any[]} */ (events)) {
      if (event.event !== "moved" || event.seat === table.you) continue;
      const own = event.seat === ownSeat(table);
      await this.board.slide(own, event.source, event.target, event.kill);
    }
  }

  get #view() {
    return /** @type {NardiView} */ (this.#table?.view);
  }

  /** May the viewer move checkers now? */
  get #asked() {
    const view = this.#view;
    return view.turn !== null && view.turn === view.seat && this.#pending.length === 0;
  }

  #tellOpening() {
    const { t, bar } = this.context;
    const table = this.#table;
    const view = this.#view;
    const rolled = view.opening.at(-1);
    if (!table) return;
    if (view.last_turn) {
      const { seat, dice, text } = view.last_turn;
      const name = seatName(t, table, seat);
      const moves = inWords(t, text);
      bar.tell(t("nardi.told.turn", { name, dice: dice.join("-"), moves }));
    } else if (rolled) bar.tell(openingText(t, table, rolled));
  }

  #draw() {
    const table = this.#table;
    if (!table) return;
    const view = this.#view;
    const own = ownSeat(table);
    const rival = table.seats.length - 1 - own;
    const asked = this.#asked;
    this.board.update({
      position: positionOf(view.sides, own),
      light: own === 0,
      watched: table.you === null,
      asked: asked && view.phase === "move",
      reach: asked ? (view.reach ?? {}) : {},
      chosen: this.#chosen,
      marks: marksOf(view, own),
      pending: this.#underway(),
    });
    this.#plate(this.rival, rival, table, view);
    this.#plate(this.own, own, table, view);
    this.#drawControls(table, view, asked);
  }

  /**
   * @param {Table} table
   * @param {NardiView} view
   * @param {boolean} asked
   */
  #drawControls(table, view, asked) {
    const seated = view.seat !== null && table.ended === null && table.pause === null;
    const confirming = view.phase === "confirm";
    this.back.hidden = !seated;
    this.back.disabled = !(asked && view.can_take_back);
    this.roll.hidden = !seated || view.phase === "move" || confirming;
    this.roll.disabled = !(asked && view.phase === "roll");
    this.confirm.hidden = !seated || !(view.phase === "move" || confirming);
    this.confirm.disabled = !(asked && view.can_confirm);
    this.again.hidden = view.last_hand === null && table.ended === null;
    this.again.textContent = this.context.t(table.ended ? "table.result" : "table.last_hand");
  }

  /**
   * @param {Plate} plate
   * @param {number} seat
   * @param {Table} table
   * @param {NardiView} view
   */
  #plate(plate, seat, table, view) {
    const { t } = this.context;
    const shown = {
      score: t("table.score", { points: view.score[seat] ?? 0, target: view.target }),
      turn: view.turn === seat,
      under: t("nardi.pips", { pips: view.sides[seat]?.pips ?? 0 }),
    };
    plate.update(table, seat, shown, ...this.#dice(seat, view));
  }

  /**
   * The dice lie with whoever rolled them; those of the last turn until somebody rolls again.
   *
   * @param {number} seat
   * @param {NardiView} view
   * @returns {Node[]}
   */
  #dice(seat, view) {
    const { t } = this.context;
    const last = view.last_turn;
    const rolled = view.turn !== null && view.dice.length === 2 && view.phase !== "roll";
    if (rolled && seat === view.turn) {
      const name = el("span", { class: "roll-name" }, rollName(t, view.dice));
      return [diceRow(t, view.dice, view.dice_left), name];
    }
    if (!rolled && last && seat === last.seat) {
      const name = el("span", { class: "roll-name past" }, rollName(t, last.dice));
      return [diceRow(t, last.dice, []), name];
    }
    return [];
  }

  /** Where the checker that is not saved yet comes from and goes to. */
  #underway() {
    const moves = /** @type {{action: string, from: number | "bar", die: number}[]} */ (
      this.#pending.filter((action) => action.action === "move")
    );
    const [first] = moves;
    if (!first) return null;
    const source = first.from === "bar" ? BAR : first.from;
    const target = moves.reduce((point, move) => Math.max(OFF, point - move.die), source);
    return { source, target };
  }

  /** @param {number} point */
  #press(point) {
    const view = this.#view;
    const chosen = this.#chosen;
    this.panel.hide();
    if (chosen !== null) {
      const way = this.#ways(chosen).find((one) => one.to === point);
      if (way) return this.#play(chosen, way.dice);
      if (point === chosen) {
        const die = view.press?.[keyOf(chosen)];
        if (die !== undefined) return this.#play(chosen, [die]);
      }
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
    bar.refuse(dead || t(entering ? "refusal.bar_first" : "nardi.cannot_move"));
    this.#choose(null);
  }

  /** @param {number | null} point */
  #choose(point) {
    if (!this.#table) return;
    this.#chosen = point;
    this.#draw();
  }

  /**
   * One act a die, each from where the checker landed.
   *
   * @param {number} source
   * @param {number[]} dice
   */
  #play(source, dice) {
    let at = source;
    const moves = dice.map((die) => {
      const move = { action: "move", from: at === BAR ? "bar" : at, die };
      at -= die;
      return move;
    });
    this.#chosen = null;
    this.context.act(moves);
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
    // The next hand begins: the look at the last one is over.
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
        el("p", {}, t(`nardi.end_meaning.${ended.end}`)),
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
        ? [el("h3", {}, handTitle(t, table, hand)), el("p", {}, t(`nardi.end_meaning.${hand.end}`))]
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

/**
 * What is marked: the steps of the turn under way, else the last turn. A point that a checker
 * only passed is not.
 *
 * @param {NardiView} view
 * @param {number} own  the seat at the lower edge
 */
function marksOf(view, own) {
  const seat = view.steps.length > 0 ? view.turn : view.last_turn?.seat;
  const moves = view.steps.length > 0 ? view.steps : (view.last_turn?.moves ?? []);
  const mine = seat === own;
  const left = moves.map(([source]) => source);
  const came = [];
  for (const [, target] of moves) {
    const passed = left.indexOf(target);
    if (passed >= 0) left.splice(passed, 1);
    else came.push(target);
  }
  return [
    ...left.map((point) => ({ point: onScreen(point, mine), source: true, own: mine })),
    ...came.map((point) => ({ point: onScreen(point, mine), source: false, own: mine })),
  ];
}
