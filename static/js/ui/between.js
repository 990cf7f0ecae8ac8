/**
 * The look between two hands: whoever has seen enough says so, and when all have, the next hand is
 * dealt at once.
 *
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").Translate} Translate
 */

import { button } from "./dom.js";

export class Between {
  /**
   * @param {Translate} t
   * @param {() => void} ready
   */
  constructor(t, ready) {
    this.t = t;
    this.root = button(t("table.go_on"), ready, "primary go-on");
    this.root.hidden = true;
  }

  /**
   * @param {Table} table
   * @param {boolean} asked  has this page said so, and is not answered yet
   */
  update({ pause, you }, asked) {
    this.root.hidden = pause === null || you === null;
    if (!pause || you === null) return;
    const done = pause.ready[you] ?? false;
    this.root.disabled = done || asked;
    this.root.textContent = done ? `✓ ${this.t("table.ready_yours")}` : this.t("table.go_on");
  }
}
