/**
 * What a nardi table explains when it happens for the first time, by rule set.
 *
 * @typedef {import("../types.js").NardiView} NardiView
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").TableEvent} TableEvent
 * @typedef {import("../types.js").Translate} Translate
 * @typedef {import("../ui/hints.js").Hint} Hint
 */

import { OFF } from "./position.js";
import { deadText } from "./words.js";

/** @type {Record<string, (t: Translate, table: Table, events: TableEvent[]) => Hint[]>} */
const OF = { short };

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
 * @param {Translate} t
 * @param {Table} table
 * @param {TableEvent[]} events
 * @returns {Hint[]}
 */
function short(t, table, events) {
  const view = /** @type {NardiView} */ (table.view);
  /** @type {Hint[]} */
  const hints = [];
  /**
   * @param {string} name
   * @param {string} text
   * @param {string} anchor
   * @param {boolean} [news]
   */
  const add = (name, text, anchor, news = false) =>
    hints.push({ name: `nardi-${name}`, text, anchor, news });
  const ended = /** @type {any} */ (events.find(({ event }) => event === "hand_ended"));
  if (ended?.end === "marsi") add("marsi", t("nardi.hint.marsi"), "end", true);
  if (ended?.end === "koksi") add("koksi", t("nardi.hint.koksi"), "end", true);
  if (table.pause || table.ended || view.turn === null || view.turn !== table.you) return hints;
  if (view.phase === "roll") add("dice", t("nardi.hint.dice"), "screen");
  const reach = view.reach ?? {};
  if ("bar" in reach) add("bar", t("nardi.hint.bar"), "bar");
  const larger = view.dead?.find(({ code }) => code === "larger_die");
  const dead = view.dead?.find(({ code }) => code !== "larger_die" && code !== "all_off");
  if (larger)
    add("larger", t("nardi.hint.larger", { larger: larger.values.larger ?? "" }), "larger");
  if (dead) add("dead", t("nardi.hint.dead", { why: deadText(t, dead) }), "dead");
  const off = Object.values(reach).flat().some(({ to, dice }) => to === OFF && dice.length === 1);
  if (off) add("bear_off", t("nardi.hint.bear_off"), "bear-off");
  if (view.phase === "move") add("checker", t("nardi.hint.checker"), "screen");
  if (view.can_confirm) add("confirm", t("nardi.hint.confirm"), "confirm");
  return hints;
}
