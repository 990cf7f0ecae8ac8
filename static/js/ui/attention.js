/**
 * How the page calls its player: the tab's title and icon show that it is their turn, a bell says
 * so, and a sound warns of the last ten seconds.
 *
 * @typedef {import("./sounds.js").Felt} Felt
 */

export class Attention {
  #title = document.title;
  #icon = /** @type {HTMLLinkElement | null} */ (document.getElementById("icon"));
  #asked = false;
  #low = false;

  /**
   * @param {string} call  what the title says
   * @param {(what: Felt) => void} feel
   */
  constructor(call, feel) {
    this.call = call;
    this.feel = feel;
  }

  /**
   * @param {boolean} asked  is it the viewer who is asked
   * @param {boolean} low    do the viewer's last ten seconds run
   */
  show(asked, low) {
    if (asked !== this.#asked) this.#mark(asked);
    if (asked && !this.#asked) this.feel("turn");
    if (low && !this.#low) this.feel("warn");
    this.#asked = asked;
    this.#low = low;
  }

  /** @param {boolean} asked */
  #mark(asked) {
    document.title = asked ? `● ${this.call} – ${this.#title}` : this.#title;
    const { calm, turn } = this.#icon?.dataset ?? {};
    if (this.#icon && calm && turn) this.#icon.href = asked ? turn : calm;
  }
}
