/** Keeps the screen awake for as long as it is wanted, where the browser can. */

export class Awake {
  #wanted = false;
  /** @type {WakeLockSentinel | null} */
  #lock = null;
  #asking = false;

  constructor() {
    // A page that is hidden loses it.
    document.addEventListener("visibilitychange", () => this.#take());
  }

  /** @param {boolean} wanted */
  want(wanted) {
    if (wanted === this.#wanted) return;
    this.#wanted = wanted;
    if (wanted) this.#take();
    else this.#lock?.release().catch(() => {});
  }

  async #take() {
    if (!this.#wanted || this.#lock || this.#asking || document.hidden) return;
    if (!("wakeLock" in navigator)) return;
    this.#asking = true;
    try {
      const lock = await navigator.wakeLock.request("screen");
      this.#lock = lock;
      lock.addEventListener("release", () => (this.#lock = null));
      if (!this.#wanted) await lock.release();
    } catch {
      // An empty battery may forbid it: the next time that the page is looked at.
    } finally {
      this.#asking = false;
    }
  }
}
