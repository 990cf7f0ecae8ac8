/**
 * What a domino table explains when it happens for the first time, by rule set.
 *
 * @typedef {import("../types.js").DominoView} DominoView
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").TableEvent} TableEvent
 * @typedef {import("../types.js").Translate} Translate
 * @typedef {import("../ui/hints.js").Hint} Hint
 */

import { arithmetic, mustDraw } from "./words.js";

/** @type {Record<string, (t: Translate, table: Table, events: TableEvent[]) => Hint[]>} */
const OF = { georgian };

/**
 * @param {Translate} t
 * @param {Table} table
 * @param {TableEvent[]} events  that led here
 * @returns {Hint[]}
 */
export function hintsFor(t, table, events) {
  return table.you === null ? [] : (OF[table.rules]?.(t, table, events) ?? []);
}

/**
 * Why a tile that was pressed cannot be laid.
 *
 * @param {Translate} t
 * @param {Table} table
 * @returns {Hint[]}
 */
export function refusedHint(t, table) {
  const view = /** @type {DominoView} */ (table.view);
  if (!(table.rules in OF) || view.turn !== table.you || mustDraw(view)) return [];
  if (view.must_open || table.pause) return [];
  const text = t("domino.hint.refused");
  return [{ name: "domino-refused", text, anchor: "refused", news: true }];
}

/**
 * @param {Translate} t
 * @param {Table} table
 * @param {TableEvent[]} events
 * @returns {Hint[]}
 */
function georgian(t, table, events) {
  const view = /** @type {DominoView} */ (table.view);
  /** @type {Hint[]} */
  const hints = [];
  /**
   * @param {string} name
   * @param {string} text
   * @param {string} anchor
   * @param {boolean} news
   */
  const add = (name, text, anchor, news) =>
    hints.push({ name: `domino-${name}`, text, anchor, news });
  const laid = /** @type {any} */ (events.find(({ event }) => event === "laid"));
  const ended = /** @type {any} */ (events.find(({ event }) => event === "hand_ended"));
  if (ended && (ended.end === "riba" || ended.end === "drawn"))
    add("riba", t("domino.hint.riba"), "riba", true);
  const mine = view.turn !== null && view.turn === table.you && !table.pause && !table.ended;
  if (mine && mustDraw(view)) add("bazaar", t("domino.hint.bazaar"), "bazaar", false);
  if (laid?.points > 0) {
    const count = arithmetic(laid.terms, laid.sum);
    add("scored", t("domino.hint.scored", { count, points: laid.points }), "points", true);
  }
  if (laid && laid.tile === view.stavka) add("stavka", t("domino.hint.stavka"), "stavka", true);
  const sides = view.ends.some(({ end }) => end === "U" || end === "D");
  if (laid && sides && (laid.end === "L" || laid.end === "R"))
    add("sides", t("domino.hint.sides"), "sides", true);
  const fits = new Set(view.legal.map((one) => (one.action === "lay" ? one.tile : "")));
  const dim = view.tiles.some((tile) => !fits.has(tile));
  if (mine && dim && view.placed.length > 0 && !mustDraw(view))
    add("dim", t("domino.hint.dim"), "refused", false);
  return hints;
}
