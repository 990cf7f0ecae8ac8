/**
 * Coins in words: numbers as both languages write them, a table's stake, what a match has moved.
 *
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").Translate} Translate
 */

import { el, setText } from "./dom.js";
import { seatName } from "./people.js";

/** @param {number} coins */
export function amount(coins) {
  return String(coins).replace(/\B(?=(\d{3})+$)/g, "\u00a0");
}

/** @param {number} coins  that have moved */
export function signed(coins) {
  return `${coins > 0 ? "+" : coins < 0 ? "\u2212" : ""}${amount(Math.abs(coins))}`;
}

/**
 * The stake of a table and what its winner gets; "" for a free one.
 *
 * @param {Translate} t
 * @param {{stake: number, pot: number}} table
 */
export function stakeText(t, { stake, pot }) {
  return stake ? t("lobby.stake", { stake: amount(stake), pot: amount(pot) }) : "";
}

/**
 * The pot of a table where a match is shown: the number, and in words for who cannot see the coin.
 *
 * @param {Translate} t
 * @param {HTMLElement} shown
 * @param {Table} table
 */
export function showStake(t, shown, table) {
  const { stake, pot, view } = table;
  const hidden = !stake || view === null;
  if (hidden === shown.hidden) return;
  shown.hidden = hidden;
  const words = stakeText(t, table);
  shown.title = words;
  shown.replaceChildren(
    el("span", { class: "visually-hidden" }, words),
    el("span", { "aria-hidden": "true" }, amount(pot)),
  );
}

/**
 * What a match that has ended has moved; "" at a free table.
 *
 * @param {Translate} t
 * @param {Table} table
 */
export function movedText(t, table) {
  const { ended, stake, you } = table;
  if (!ended || !stake) return "";
  const { coins } = ended;
  if (coins === null) return t("table.coins.pending");
  if (coins.every((moved) => moved === 0))
    return t(you === null ? "table.coins.all_back" : "table.coins.back");
  if (you !== null) return t("table.coins.yours", { coins: signed(coins[you] ?? 0) });
  return coins
    .map((moved, seat) =>
      t("table.coins.of", { name: seatName(t, table, seat), coins: signed(moved) }),
    )
    .join(" · ");
}

/** A line for {@link movedText}, that stands out for whom it is good. */
export class Moved {
  root = el("p", { class: "coins", role: "status", hidden: true });

  /**
   * @param {Translate} t
   * @param {Table} table
   */
  update(t, table) {
    const text = movedText(t, table);
    this.root.hidden = text === "";
    const mine = table.you === null ? 0 : (table.ended?.coins?.[table.you] ?? 0);
    this.root.classList.toggle("won", mine > 0);
    setText(this.root, text);
  }
}

/** The coins in the page's header, as they are now. Without an account there are none. */
export async function refreshPurse() {
  const shown = document.getElementById("purse");
  if (!shown) return;
  try {
    const answer = await fetch("/coins", { cache: "no-store" });
    if (!answer.ok) return;
    const { coins } = /** @type {{coins: number | null}} */ (await answer.json());
    if (coins !== null) setText(shown, amount(coins));
  } catch {
    // The line is down: what is shown stays until the next time.
  }
}
