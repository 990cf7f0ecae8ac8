/**
 * The boards that figures are shown on, the replay's. Only the one that is needed is fetched.
 *
 * @typedef {import("../replay/player.js").BoardClass} BoardClass
 */

/** @type {Record<string, () => Promise<BoardClass>>} */
export const BOARDS = {
  async domino() {
    return (await import("../replay/boards/domino.js")).DominoReplay;
  },
  async nardi() {
    return (await import("../replay/boards/nardi.js")).NardiReplay;
  },
};
