/**
 * What a match has made of the ratings, in words.
 *
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").Translate} Translate
 */

import { signed } from "./coins.js";
import { el, setText } from "./dom.js";
import { seatName } from "./people.js";

/**
 * The own rating for a player, everybody's for who watches; "" where the match is not rated.
 *
 * @param {Translate} t
 * @param {Table} table
 */
export function ratingText(t, table) {
  const { ended, you } = table;
  return (ended?.ratings ?? [])
    .map((rating, seat) => ({ rating, seat }))
    .filter(({ seat }) => you === null || seat === you)
    .map(({ rating: { before, after, provisional }, seat }) => {
      const moved = signed(after - before);
      if (you === null) return t("table.rating.of", { name: seatName(t, table, seat), after, moved });
      return t(provisional ? "table.rating.provisional" : "table.rating.yours", { after, moved });
    })
    .join(" · ");
}

/** A line for {@link ratingText}. */
export class Rating {
  root = el("p", { class: "rating", role: "status", hidden: true });

  /**
   * @param {Translate} t
   * @param {Table} table
   */
  update(t, table) {
    const text = ratingText(t, table);
    this.root.hidden = text === "";
    setText(this.root, text);
  }
}
