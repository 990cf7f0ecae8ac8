/**
 * What comes after a match: its reason and time, the running series, another match, the check.
 *
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").Translate} Translate
 */

import { Moved } from "./coins.js";
import { button, el, setText } from "./dom.js";
import { outcomeReason, seatName } from "./people.js";
import { Rating } from "./rating.js";

export class Ending {
  #offer = el("p", { class: "offer", role: "status" });
  #series = el("p", { class: "series" });
  #check = el("a", { class: "button" });
  #moved = new Moved();
  #rating = new Rating();
  /** What a press on the button asks for. */
  #wants = true;

  /**
   * @param {Translate} t
   * @param {{rematch: (want: boolean) => void, leave: () => void}} does
   */
  constructor(t, does) {
    this.t = t;
    this.reason = el("p", { class: "reason" });
    /** What the match has moved, for who played for coins. */
    this.coins = this.#moved.root;
    /** What it has made of the rating, for who is rated. */
    this.rating = this.#rating.root;
    this.rematch = button("", () => does.rematch(this.#wants), "primary rematch");
    const lobby = el("a", { class: "button", href: "/" }, t("table.to_lobby"));
    // Whoever goes frees the other from waiting for another match.
    lobby.addEventListener("click", ({ ctrlKey, metaKey, shiftKey }) => {
      if (!ctrlKey && !metaKey && !shiftKey) does.leave();
    });
    this.root = el("div", { class: "ending" }, this.#series, this.#offer);
    /** What can be done then. */
    this.actions = el(
      "div",
      { class: "actions" },
      this.rematch,
      el("div", { class: "ways" }, this.#check, lobby),
    );
  }

  /**
   * @param {Table} table
   * @param {number} ago  milliseconds since the end
   */
  update(table, ago) {
    const { ended, match, rematch, you } = table;
    if (!ended || !match) return;
    const { t } = this;
    const time = new Date(Date.now() - ago);
    const at = time.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
    const target = Object.values(table.options)[0] ?? 0;
    setText(this.reason, `${outcomeReason(t, table, ended, target)} · ${at}`);
    this.#moved.update(t, table);
    this.#rating.update(t, table);
    const wins = rematch.wins.map((n, seat) => `${seatName(t, table, seat)} ${n}`);
    setText(this.#series, t("table.series", { wins: wins.join(" – ") }));
    // There is no such page before the match is kept; its place is held until then.
    if (ended.kept) this.#check.href = `/m/${match}`;
    else this.#check.removeAttribute("href");
    setText(this.#check, t(`match.check.${table.game}`));
    this.#showRematch(table);
    this.rematch.hidden = you === null || !rematch.possible;
  }

  /** @param {Table} table */
  #showRematch(table) {
    const { t } = this;
    const { rematch, you } = table;
    const other = rematch.wants.findIndex((want, seat) => want && seat !== you);
    const mine = you !== null && (rematch.wants[you] ?? false);
    this.#wants = !mine;
    this.rematch.classList.toggle("primary", !mine);
    const asked = other >= 0 ? "table.rematch_accept" : "table.rematch";
    const label = mine ? "table.rematch_withdraw" : asked;
    setText(this.rematch, t(label));
    let said = "";
    if (!rematch.possible) said = you === null ? "" : t("table.no_rematch");
    else if (mine) said = t("table.rematch_waiting");
    else if (other >= 0) said = t("table.rematch_offered", { name: seatName(t, table, other) });
    setText(this.#offer, said);
  }
}
