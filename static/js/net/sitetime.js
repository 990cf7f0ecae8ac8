/**
 * The site's time, by which all clocks run: every frame says it, and this browser's own clock
 * only tells how long ago that was. After an outage it stands still for a while (T9).
 */

export class SiteTime {
  #site = 0;
  #heard = 0;
  #frozen = 0;

  /**
   * @param {number} site  milliseconds, as a frame said just now
   * @param {number} [frozen]  it stands still so many milliseconds more
   */
  take(site, frozen = 0) {
    this.#site = site;
    this.#heard = performance.now();
    if (frozen > 0) this.#frozen = this.#heard + frozen;
  }

  /** Now, in milliseconds. */
  get now() {
    const from = Math.max(this.#heard, this.#frozen);
    return this.#site + Math.max(0, performance.now() - from);
  }

  /** How long it stands still yet, in milliseconds. */
  get frozen() {
    return Math.max(0, this.#frozen - performance.now());
  }
}
