/**
 * The figures of an article of rules, each made when it comes near. Their frames are fetched once.
 *
 * @typedef {import("../types.js").Frame} Frame
 * @typedef {import("../types.js").Translate} Translate
 */

import { el } from "../ui/dom.js";
import { BOARDS } from "./boards.js";
import { Figure } from "./figure.js";

/** So far before it is seen, a figure is made. */
const NEAR = "400px 0px";

/**
 * @typedef {object} All
 * @property {Record<string, Record<string, number>>} options  by figure
 * @property {Record<string, Frame[]>} figures
 */

/**
 * @param {Translate} t
 * @param {HTMLElement} article  with what it is about in its data
 */
export function openFigures(t, article) {
  const { game = "", rules = "", figures = "", names = "" } = article.dataset;
  /** @type {Promise<{all: All, Board: import("./boards.js").BoardClass}> | null} */
  let coming = null;

  const fetched = async () => {
    const [answer, Board] = await Promise.all([fetch(figures), BOARDS[game]?.()]);
    if (!answer.ok || !Board) throw new Error(`no figures: ${answer.status}`);
    return { all: /** @type {All} */ (await answer.json()), Board };
  };

  /** @param {HTMLElement} root */
  const make = async (root) => {
    const name = root.dataset.figure ?? "";
    try {
      coming ??= fetched();
      const { all, Board } = await coming;
      const frames = all.figures[name] ?? [];
      const seats = frames[0]?.score.length ?? 0;
      /** @type {import("../replay/moment.js").About} */
      const about = {
        replay: "",
        game: /** @type {"domino" | "nardi"} */ (game),
        rules,
        options: all.options[name] ?? {},
        names: names.split(", ").slice(0, seats),
        you: null,
        winners: [],
        reason: "points",
        score: [],
        frames: [frames.length],
      };
      new Figure(t, about, root, frames, Board);
    } catch {
      coming = null;
      root.classList.add("plain");
      if (root.querySelector(".why")) return;
      const why = el("p", { class: "why", role: "status" }, t("figure.not_fetched"));
      root.querySelector(".figure-place")?.replaceChildren(why);
    }
  };

  const seen = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        seen.unobserve(target);
        void make(/** @type {HTMLElement} */ (target));
      }
    },
    { rootMargin: NEAR },
  );
  for (const root of article.querySelectorAll(".figure")) seen.observe(root);
}
