/**
 * The replay of a finished match, fetched when somebody wants to see it. It begins by itself on the
 * page of the match.
 *
 * @typedef {import("../replay/moment.js").About} About
 */

import { Player } from "../replay/player.js";
import { pageCatalogue, translator } from "../ui/texts.js";

/** The boards that a match may be shown on. Only the one that is played on is fetched. */
const BOARDS = {
  async domino() {
    return (await import("../replay/boards/domino.js")).DominoReplay;
  },
  async nardi() {
    return (await import("../replay/boards/nardi.js")).NardiReplay;
  },
};

const t = translator(pageCatalogue());
const place = /** @type {HTMLElement} */ (document.getElementById("replay"));
const watch = /** @type {HTMLButtonElement} */ (document.getElementById("watch"));
const problem = /** @type {HTMLElement} */ (document.getElementById("replay-problem"));
const about = /** @type {About} */ (JSON.parse(place.dataset.about ?? "{}"));

async function begin() {
  problem.textContent = t("replay.loading");
  try {
    const player = new Player(t, about, await BOARDS[about.game]());
    await player.start();
    place.replaceChildren(player.root);
    player.settle();
  } catch {
    watch.disabled = false;
    problem.textContent = t("replay.not_fetched");
  }
}

// Where it could not be had the first time, the button tries again.
watch.addEventListener("click", begin);
void begin();
