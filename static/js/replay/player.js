/**
 * The player of a replay: where it stands, what it shows, and how it goes on by itself.
 *
 * @typedef {import("../types.js").Frame} Frame
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").Translate} Translate
 * @typedef {import("./caption.js").Told} Told
 * @typedef {import("./moment.js").About} About
 * @typedef {import("./moment.js").From} From
 * @typedef {import("./moment.js").Moment} Moment
 *
 * @typedef {object} Board  a game's board, which draws what it is told
 * @property {HTMLElement} root
 * @property {(shown: Shown) => void} show
 *
 * @typedef {object} Shown
 * @property {Table} table
 * @property {Frame} frame
 * @property {From} from
 * @property {Frame | null} before  the step before this one, where it may be seen to follow on it
 *
 * @typedef {{new (t: Translate): Board, told: Told, pace: number}} BoardClass  pace: milliseconds
 *   from step to step
 */

import { el, setText } from "../ui/dom.js";
import { caption } from "./caption.js";
import { Controls } from "./controls.js";
import { readMoment, tableOf, written } from "./moment.js";
import { Frames } from "./store.js";

/** A hand's end is looked at for so many steps. */
const LOOK = 2.5;
/** Browsers take only so many changes of an address: it follows when all is calm. */
const CALM = 400;

export class Player {
  /** @type {Moment} */
  #at;
  /** @type {Frame[]} the hand that is shown */
  #frames = [];
  #playing = false;
  #speed = 1;
  #timer = 0;
  #writing = 0;
  /** Counts what has been asked for: an answer to anything before is late. */
  #asked = 0;
  #shown = "";
  #caption = el("p", { class: "caption", role: "status" });
  #problem = el("p", { class: "why", role: "status", hidden: true });

  /**
   * @param {Translate} t
   * @param {About} about
   * @param {BoardClass} Board
   */
  constructor(t, about, Board) {
    this.t = t;
    this.about = about;
    this.told = Board.told;
    this.pace = Board.pace;
    this.frames = new Frames(about.replay);
    this.board = new Board(t);
    this.#at = readMoment(location.hash, about) ?? {
      hand: 1,
      step: 0,
      from: about.you ?? "above",
    };
    this.controls = new Controls(t, about, {
      go: (step) => this.#by(() => this.#go({ step })),
      step: (by) => this.#by(() => this.#step(by)),
      toggle: () => (this.#playing ? this.#pause() : this.#play()),
      hand: (hand) => this.#by(() => this.#go({ hand, step: 0 })),
      from: (from) => this.#go({ from }),
      speed: (speed) => {
        this.#speed = speed;
        if (this.#playing) this.#next();
      },
    });
    this.root = el(
      "div",
      { class: `replay of-${about.game}`, tabindex: -1, role: "group" },
      this.board.root,
      el("div", { class: "below" }, this.#caption, this.#problem, this.controls.root),
    );
    this.root.setAttribute("aria-label", t("replay.title"));
    this.root.addEventListener("keydown", (event) => this.#key(event));
    addEventListener("hashchange", () => this.#follow());
    document.addEventListener("visibilitychange", () => document.hidden && this.#pause());
  }

  /** Fetches the hand to begin with. Rejects where it cannot be had. */
  async start() {
    this.#frames = await this.frames.of(this.#at.hand, this.#at.from);
  }

  /** It is on the page now. */
  settle() {
    this.#draw(false);
    this.root.focus({ preventScroll: true });
    this.root.scrollIntoView({ block: "nearest" });
  }

  /** The address has changed: a link to another moment was followed. */
  #follow() {
    const moment = readMoment(location.hash, this.about);
    if (!moment) return;
    this.#pause();
    if (written(moment) !== written(this.#at)) this.#go(moment);
    this.root.focus({ preventScroll: true });
    this.root.scrollIntoView({ block: "nearest" });
  }

  /**
   * What is done by hand ends the playing.
   *
   * @param {() => void} does
   */
  #by(does) {
    this.#pause();
    does();
  }

  #play() {
    const { hand, step } = this.#at;
    const { frames } = this.about;
    this.#playing = true;
    this.#caption.setAttribute("aria-live", "off");
    // From the very end it begins anew.
    if (hand === frames.length && step >= (frames[hand - 1] ?? 1) - 1)
      this.#go({ hand: 1, step: 0 });
    else this.#step(1);
  }

  #pause() {
    clearTimeout(this.#timer);
    if (!this.#playing) return;
    this.#playing = false;
    this.#caption.removeAttribute("aria-live");
    this.controls.update(this.#at, false);
    this.#write();
  }

  /** In a while the next step. */
  #next() {
    clearTimeout(this.#timer);
    const { hand, step, from } = this.#at;
    const { frames } = this.about;
    const ended = step >= this.#frames.length - 1;
    if (ended && hand >= frames.length) return this.#pause();
    if (hand < frames.length) this.frames.of(hand + 1, from).catch(() => {});
    const ms = (this.pace * (ended ? LOOK : 1)) / this.#speed;
    this.#timer = setTimeout(() => this.#step(1), ms);
  }

  /** @param {1 | -1} by */
  #step(by) {
    const { hand, step } = this.#at;
    const { frames } = this.about;
    const next = step + by;
    if (next >= 0 && next < (frames[hand - 1] ?? 1)) this.#go({ step: next }, by === 1);
    else if (by === 1 && hand < frames.length) this.#go({ hand: hand + 1, step: 0 });
    else if (by === -1 && hand > 1) this.#go({ hand: hand - 1, step: Infinity });
  }

  /**
   * @param {Partial<Moment>} where
   * @param {boolean} [moves]
   */
  async #go(where, moves = false) {
    const asked = (this.#asked += 1);
    const at = { ...this.#at, ...where };
    at.step = Math.max(0, Math.min((this.about.frames[at.hand - 1] ?? 1) - 1, at.step));
    this.#problem.hidden = true;
    clearTimeout(this.#timer);
    let frames;
    try {
      frames = await this.frames.of(at.hand, at.from);
    } catch {
      if (asked !== this.#asked) return;
      this.#pause();
      this.controls.update(this.#at, false);
      this.#problem.hidden = false;
      setText(this.#problem, this.t("replay.not_fetched"));
      return;
    }
    if (asked !== this.#asked) return;
    this.#at = at;
    this.#frames = frames;
    this.#draw(moves);
    if (this.#playing) this.#next();
    else this.#write();
  }

  /** @param {boolean} moves */
  #draw(moves) {
    const { hand, step, from } = this.#at;
    const { about, t } = this;
    const frame = this.#frames[step];
    if (!frame) return;
    const last = hand === about.frames.length && step === this.#frames.length - 1;
    const table = tableOf(about, frame);
    this.root.dataset.at = written(this.#at);
    this.controls.update(this.#at, this.#playing);
    const before = moves ? (this.#frames[step - 1] ?? null) : null;
    this.board.show({ table, frame, from, before });
    const text = caption(t, about, table, frame, last, this.told);
    if (text !== this.#shown) setText(this.#caption, text);
    this.#shown = text;
  }

  /** The address leads to this moment, for who copies it. */
  #write() {
    clearTimeout(this.#writing);
    this.#writing = setTimeout(() => {
      history.replaceState(history.state, "", `#${written(this.#at)}`);
    }, CALM);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const { target, key } = event;
    // A choice and the slider have these keys for themselves; a button has the space bar.
    if (target instanceof HTMLSelectElement || target === this.controls.slider) return;
    if (key === " " && target instanceof HTMLButtonElement) return;
    const does = {
      " ": () => (this.#playing ? this.#pause() : this.#play()),
      ArrowLeft: () => this.#by(() => this.#step(-1)),
      ArrowRight: () => this.#by(() => this.#step(1)),
      Home: () => this.#by(() => this.#go({ step: 0 })),
      End: () => this.#by(() => this.#go({ step: Infinity })),
    }[key];
    if (!does) return;
    event.preventDefault();
    does();
  }
}
