/**
 * A warning that the chance of a match cannot be trusted. Nothing is played under it before the
 * player has said that they have read it.
 *
 * @typedef {import("../types.js").Translate} Translate
 * @typedef {import("../fairness/handshake.js").Alarm} Alarm
 */

import { alarmText } from "../fairness/words.js";
import { button, el, setText } from "./dom.js";

/** Another browser of the same player may well be the honest cause of these. */
const HARMLESS = ["number_elsewhere"];

export class AlarmBox {
  #text = el("p");
  #code = "";
  #read = true;

  /** @param {Translate} t */
  constructor(t) {
    this.t = t;
    this.go = button(t("table.alarm_read"), () => {
      this.#read = true;
      this.go.hidden = true;
    });
    const attributes = { class: "alarm problem", role: "alert", hidden: true };
    this.root = el("div", attributes, this.#text, this.go);
  }

  /** Does it forbid to play? */
  get forbids() {
    return !this.#read;
  }

  get text() {
    return this.#text.textContent ?? "";
  }

  /**
   * @param {Alarm | null} alarm
   * @param {string} match
   * @param {string[]} names  by seat
   * @param {boolean} running  is the match under way
   */
  show(alarm, match, names, running) {
    this.root.hidden = alarm === null;
    if (!alarm) {
      this.#read = true;
      return;
    }
    const code = `${match} ${alarm.code}`;
    if (code !== this.#code) {
      this.#code = code;
      this.#read = HARMLESS.includes(alarm.code);
    }
    this.go.hidden = this.#read || !running;
    setText(this.#text, alarmText(this.t, alarm, names));
  }
}
