/**
 * The count, always in sight: what each open end counts, the sum, and what it gave.
 *
 * @typedef {import("../types.js").DominoView} DominoView
 * @typedef {import("../types.js").Translate} Translate
 */

import { el } from "../ui/dom.js";
import { countText, givesText, termsOf } from "./words.js";

export class Strip {
  #drawn = "";

  /** @param {Translate} t */
  constructor(t) {
    this.t = t;
    this.root = el("p", { class: "count" });
  }

  /** @param {DominoView} view */
  update(view) {
    const { t, root } = this;
    const said = countText(t, view);
    if (said === this.#drawn) return;
    this.#drawn = said;
    const last = view.placed.at(-1);
    root.replaceChildren();
    if (!last || said === "") return;
    const values = termsOf(view);
    const terms = values.flatMap((value, n) => [
      n > 0 && el("span", {}, "+"),
      el("span", { class: "term" }, String(value)),
    ]);
    root.append(
      el("span", { class: "visually-hidden" }, said),
      el(
        "span",
        { class: "sum", "aria-hidden": "true" },
        el("span", { class: "label" }, t("domino.count.label")),
        ...terms,
        values.length > 1 && el("span", {}, `= ${view.sum}`),
      ),
      el(
        "strong",
        { class: last.points > 0 ? "gives scored" : "gives", "aria-hidden": "true" },
        givesText(t, view),
      ),
    );
  }
}
