/**
 * The card of a table without a match: waiting for somebody, the handshake before a match, or
 * that nobody plays here any more.
 *
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").Translate} Translate
 */

import { amount } from "./coins.js";
import { button, el, setText } from "./dom.js";
import { enableCopying } from "./invite.js";
import { seatName } from "./people.js";

export class Waiting {
  /** Who sat where last, for those who sit there no more. @type {string[]} */
  #names = [];
  #until = /** @type {number | null} */ (null);
  #shaking = el("p", { class: "shaking", hidden: true });
  #awaited = el("span", { role: "status" });
  #seconds = el("span", { class: "counting", "aria-hidden": "true" });
  #funding = el("p", { role: "status", hidden: true });
  #void = el("p", { class: "problem", role: "status", hidden: true });

  /**
   * @param {Translate} t
   * @param {HTMLElement} root  as the server made it
   * @param {() => void} leave
   */
  constructor(t, root, leave) {
    this.t = t;
    this.root = root;
    this.title = /** @type {HTMLElement} */ (root.querySelector("h2"));
    this.sit = /** @type {HTMLElement} */ (root.querySelector("form"));
    this.inviting = /** @type {HTMLElement} */ (root.querySelector(".inviting"));
    this.seats = /** @type {HTMLElement} */ (root.querySelector(".seats"));
    this.leave = button(t("table.leave"), leave, "leave");
    this.lobby = el("a", { class: "button primary", href: "/" }, t("table.to_lobby"));
    this.#shaking.append(this.#awaited, " ", this.#seconds);
    this.seats.before(this.#void);
    this.seats.after(this.#funding, this.#shaking);
    root.append(this.leave, this.lobby);
    enableCopying(t);
  }

  /** @param {Table} table */
  update(table) {
    this.root.hidden = table.view !== null;
    table.seats.forEach((sitter, seat) => {
      if (sitter) this.#names[seat] = seatName(this.t, table, seat);
    });
    if (table.view !== null) return;
    const { t } = this;
    const { status, you } = table;
    const open = status === "open";
    const starting = status === "funding" || status === "handshake";
    setText(this.title, this.#titleOf(table));
    this.seats.replaceChildren(...table.seats.map((_, seat) => this.#seat(table, seat)));
    this.sit.hidden = !(open && you === null && table.seats.includes(null));
    this.inviting.hidden = !(open && you !== null);
    this.leave.hidden = you === null || !(open || starting);
    this.leave.textContent = t(open && table.host === you ? "table.close_table" : "table.leave");
    this.lobby.hidden = status !== "closed";
    this.#showFunding(table);
    this.#showHandshake(table);
    this.#showVoid(table);
  }

  /** @param {number} now  site time */
  tick(now) {
    const left = this.#until === null ? null : Math.ceil(Math.max(0, this.#until - now) / 1000);
    setText(this.#seconds, left === null ? "" : this.t("table.seconds", { seconds: left }));
  }

  /** @param {Table} table */
  #titleOf({ status, closed, you }) {
    if (status === "closed") return this.t(`table.closed.${closed ?? "expired"}`);
    if (status === "funding") return this.t("table.funding");
    if (status !== "open") return this.t("table.shaking");
    return this.t(you === null ? "table.invited" : "table.waiting");
  }

  /**
   * @param {Table} table
   * @param {number} seat
   */
  #seat(table, seat) {
    const { handshake } = table;
    const sitter = table.seats[seat];
    const mark =
      handshake && (handshake.done[seat] ? "✓" : "…");
    const away = sitter?.present === false && table.status !== "closed";
    return el(
      "li",
      { "data-seat": seat, class: sitter ? "taken" : null },
      el("bdi", {}, seatName(this.t, table, seat)),
      mark && el("span", { class: "mark-of" }, mark),
      away && el("span", { class: "away" }, `✕ ${this.t("table.away")}`),
    );
  }

  /** @param {Table} table */
  #showFunding({ status, stake }) {
    this.#funding.hidden = status !== "funding";
    setText(this.#funding, this.t("table.funding.text", { stake: amount(stake) }));
  }

  /** @param {Table} table */
  #showHandshake(table) {
    const { t } = this;
    const { handshake } = table;
    this.#shaking.hidden = handshake === null;
    this.#until = handshake?.until ?? null;
    if (!handshake) return;
    const late = handshake.done.flatMap((done, seat) => (done ? [] : [seatName(t, table, seat)]));
    const step = handshake.step === "hash" ? "table.shaking.hash" : "table.shaking.reveal";
    setText(this.#awaited, `${t(step)} ${t("table.shaking.awaited", { names: late.join(", ") })}`);
  }

  /** @param {Table} table */
  #showVoid(table) {
    const { t } = this;
    const gone = table.status === "closed" ? null : table.void;
    this.#void.hidden = gone === null;
    if (!gone) return;
    const other = t(table.you === null ? "table.someone" : "table.rival");
    const names = gone.seats.map((seat) => this.#names[seat] ?? other);
    setText(this.#void, t(`table.void.${gone.cause}`, { names: names.join(", ") }));
  }
}
