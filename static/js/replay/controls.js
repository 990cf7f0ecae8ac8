/**
 * What a replay is steered with: to the first step, back, play, on, to the last; a slider over the
 * steps of the hand; which hand, how fast, from which side.
 *
 * @typedef {import("../types.js").Translate} Translate
 * @typedef {import("./moment.js").About} About
 * @typedef {import("./moment.js").From} From
 * @typedef {import("./moment.js").Moment} Moment
 *
 * @typedef {object} Does
 * @property {(step: number) => void} go   to a step of this hand
 * @property {(by: 1 | -1) => void} step   on or back, into the next or last hand too
 * @property {() => void} toggle           play or pause
 * @property {(hand: number) => void} hand
 * @property {(from: From) => void} from
 * @property {(speed: number) => void} speed
 */

import { button, el, svg } from "../ui/dom.js";

const SPEEDS = [0.5, 1, 2, 4];
/** Pictures on the buttons, 24 by 24. */
const ICONS = {
  first: "M5 5h2.5v14H5zM19 5v14L9 12z",
  back: "M17 5v14L7 12z",
  play: "M7 4.5v15l12-7.5z",
  pause: "M6 5h4v14H6zM14 5h4v14h-4z",
  forward: "M7 5v14l10-7z",
  last: "M5 5v14l10-7zM16.5 5H19v14h-2.5z",
};

/** @param {keyof typeof ICONS} name */
function icon(name) {
  return svg(
    "svg",
    { viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("path", { class: "solid", d: ICONS[name] }),
  );
}

export class Controls {
  #step = el("output", { class: "at" });

  /**
   * @param {Translate} t
   * @param {About} about
   * @param {Does} does
   */
  constructor(t, about, does) {
    this.t = t;
    this.about = about;
    this.first = this.#button("first", () => does.go(0));
    this.back = this.#button("back", () => does.step(-1));
    this.play = this.#button("play", does.toggle);
    this.play.classList.add("primary");
    this.forward = this.#button("forward", () => does.step(1));
    this.last = this.#button("last", () => does.go(Infinity));
    this.slider = el("input", {
      type: "range",
      min: 0,
      step: 1,
      value: 0,
      "aria-label": t("replay.slider"),
    });
    this.slider.addEventListener("input", () => does.go(Number(this.slider.value)));
    const count = about.frames.length;
    this.hand = select(
      about.frames.map((_, n) => [n + 1, t("replay.hand_of", { hand: n + 1, count })]),
      (value) => does.hand(Number(value)),
    );
    this.speed = select(
      SPEEDS.map((speed) => [speed, `${speed}×`]),
      (value) => does.speed(Number(value)),
    );
    this.speed.value = "1";
    /** @type {[From, string][]} */
    const sides = [...about.names.entries(), ["above", t("replay.from_above")]];
    this.from = select(sides, (value) => does.from(value === "above" ? value : Number(value)));
    this.root = el(
      "div",
      { class: "steering", role: "group", "aria-label": t("replay.controls") },
      el("div", { class: "along" }, this.slider, this.#step),
      el(
        "div",
        { class: "buttons" },
        this.first,
        this.back,
        this.play,
        this.forward,
        this.last,
      ),
      el(
        "div",
        { class: "choices" },
        labelled(t("replay.hand"), this.hand),
        labelled(t("replay.speed"), this.speed),
        labelled(t("replay.from"), this.from),
      ),
    );
  }

  /**
   * @param {Moment} moment
   * @param {boolean} playing
   */
  update({ hand, step, from }, playing) {
    const { t } = this;
    const { frames } = this.about;
    const count = frames[hand - 1] ?? 1;
    const most = String(count - 1);
    if (this.slider.max !== most) this.slider.max = most;
    this.slider.value = String(step);
    const told = t("replay.step", { step: step + 1, count });
    this.slider.setAttribute("aria-valuetext", told);
    this.#step.textContent = told;
    this.hand.value = String(hand);
    this.from.value = String(from);
    // Not disabled: who steps by keyboard would lose the button under the finger.
    mark(this.first, step > 0);
    mark(this.back, step > 0 || hand > 1);
    mark(this.forward, step < count - 1 || hand < frames.length);
    mark(this.last, step < count - 1);
    const shows = playing ? "pause" : "play";
    if (this.play.dataset.shows === shows) return;
    this.play.dataset.shows = shows;
    this.play.replaceChildren(icon(shows));
    this.play.setAttribute("aria-label", t(playing ? "replay.pause" : "replay.play"));
    this.play.title = t(playing ? "replay.pause" : "replay.play");
  }

  /**
   * @param {"first" | "back" | "play" | "forward" | "last"} name
   * @param {() => void} press
   */
  #button(name, press) {
    const made = button("", press, "icon");
    const told = this.t(LABELS[name]);
    made.dataset.does = name;
    made.append(icon(name));
    made.setAttribute("aria-label", told);
    made.title = told;
    return made;
  }
}

const LABELS = {
  first: "replay.first",
  back: "replay.back",
  play: "replay.play",
  forward: "replay.forward",
  last: "replay.last",
};

/**
 * @param {HTMLElement} made
 * @param {boolean} does  can it do anything now
 */
function mark(made, does) {
  if (does) made.removeAttribute("aria-disabled");
  else made.setAttribute("aria-disabled", "true");
}

/**
 * @param {[string | number, string][]} options
 * @param {(value: string) => void} choose
 */
function select(options, choose) {
  const made = el(
    "select",
    {},
    ...options.map(([value, text]) => el("option", { value }, text)),
  );
  made.addEventListener("change", () => choose(made.value));
  return made;
}

/**
 * @param {string} label
 * @param {HTMLElement} control
 */
function labelled(label, control) {
  return el("label", {}, el("span", {}, label), control);
}
