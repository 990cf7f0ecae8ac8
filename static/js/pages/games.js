/**
 * The games that a table may be of. Only the one that is played here is fetched.
 *
 * @typedef {import("../types.js").Table} Table
 * @typedef {import("../types.js").Translate} Translate
 * @typedef {import("./table.js").Context} Context
 * @typedef {import("./table.js").Screen} Screen
 *
 * @typedef {object} Game
 * @property {new (context: Context) => Screen} Screen
 * @property {(t: Translate, table: Table, view: any) => string} asked  what is asked of whom
 */

/** @type {Record<string, () => Promise<Game>>} */
export const GAMES = {
  async domino() {
    const { DominoScreen: Screen } = await import("../domino/screen.js");
    const { askedIn: asked } = await import("../domino/words.js");
    return { Screen, asked };
  },
  async nardi() {
    const { NardiScreen: Screen } = await import("../nardi/screen.js");
    const { askedIn: asked } = await import("../nardi/words.js");
    return { Screen, asked };
  },
};
