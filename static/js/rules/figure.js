/**
 * A figure of the rules: a board that is stepped through, with what happens in words. The words
 * stand in the page already, as a list; this shows one of them at a time under the board.
 *
 * @typedef {import("../replay/moment.js").About} About
 * @typedef {import("../replay/player.js").BoardClass} BoardClass
 * @typedef {import("../types.js").Frame} Frame
 * @typedef {import("../types.js").Translate} Translate
 */

import { tableOf } from "../replay/moment.js";
import { button, el, setText, svg } from "../ui/dom.js";

const ARROWS = { back: "M17 5v14L7 12z", forward: "M7 5v14l10-7z" };

export class Figure {
  #at = 0;
  #count = el("output", { class: "at" });
  #said = el("p", { class: "visually-hidden", role: "status" });

  /**
   * @param {Translate} t
   * @param {About} about
   * @param {HTMLElement} root    as the page has it
   * @param {Frame[]} frames
   * @param {BoardClass} Board
   */
  constructor(t, about, root, frames, Board) {
    this.t = t;
    this.about = about;
    this.root = root;
    this.frames = frames;
    this.board = new Board(t);
    /** @type {HTMLElement[]} */
    this.steps = [...root.querySelectorAll(/** @type {"li"} */ (".figure-steps > li"))];
    this.back = this.#arrow("back", -1);
    this.forward = this.#arrow("forward", 1);
    this.forward.classList.add("primary");
    const controls = el(
      "div",
      { class: "figure-controls", role: "group", "aria-label": t("figure.steps") },
      this.back,
      this.#count,
      this.forward,
    );
    root.querySelector(".figure-place")?.replaceChildren(this.board.root);
    root.append(controls, this.#said);
    root.classList.add("live");
    root.addEventListener("keydown", (event) => this.#key(event));
    this.#draw(null);
  }

  /**
   * @param {number} to
   */
  #go(to) {
    const at = Math.max(0, Math.min(this.frames.length - 1, to));
    if (at === this.#at) return;
    const before = at === this.#at + 1 ? (this.frames[this.#at] ?? null) : null;
    this.#at = at;
    this.#draw(before);
    setText(this.#said, `${this.#count.textContent}. ${this.steps[at]?.textContent ?? ""}`);
  }

  /** @param {Frame | null} before  the step that this one is seen to follow on */
  #draw(before) {
    const at = this.#at;
    const frame = this.frames[at];
    if (!frame) return;
    this.steps.forEach((step, n) => step.classList.toggle("shown", n === at));
    this.root.dataset.at = String(at + 1);
    setText(this.#count, this.t("figure.step", { step: at + 1, count: this.frames.length }));
    // Not disabled: who steps by keyboard would lose the button under the finger.
    this.back.setAttribute("aria-disabled", String(at === 0));
    this.forward.setAttribute("aria-disabled", String(at === this.frames.length - 1));
    this.board.show({ table: tableOf(this.about, frame), frame, from: 0, before });
  }

  /**
   * @param {"back" | "forward"} name
   * @param {number} by
   */
  #arrow(name, by) {
    const made = button("", () => this.#go(this.#at + by), "icon");
    const told = this.t(name === "back" ? "replay.back" : "replay.forward");
    const path = svg("path", { class: "solid", d: ARROWS[name] });
    made.append(svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, path));
    made.setAttribute("aria-label", told);
    made.title = told;
    made.dataset.does = name;
    return made;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const to = {
      ArrowLeft: this.#at - 1,
      ArrowRight: this.#at + 1,
      Home: 0,
      End: this.frames.length - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.#go(to);
  }
}
