/**
 * The chain as arms that grow from one root tile. Pure.
 *
 * The root is the stavka; a chain without one (then it has no double at all) grows from the tile
 * that opened the hand.
 *
 * @typedef {import("../types.js").End} End
 * @typedef {import("../types.js").Placed} Placed
 *
 * @typedef {object} Link
 * @property {number} index  in the order laid
 * @property {string} tile
 * @property {number} near   the half towards the root
 * @property {number} far
 * @property {boolean} double
 *
 * @typedef {{root: Link, arms: Record<End, Link[]>}} Chain  the root's near half is towards L
 */

/**
 * @param {Placed[]} placed  in the order laid
 * @param {string | null} stavka
 * @returns {Chain | null} null: nothing is laid yet
 */
export function chainOf(placed, stavka) {
  /** @type {Record<End, Link[]>} */
  const grown = { L: [], R: [], U: [], D: [] };
  /** @type {Link | null} */
  let opening = null;
  placed.forEach((one, index) => {
    const link = {
      index,
      tile: one.tile,
      near: one.in,
      far: one.out,
      double: one.in === one.out,
    };
    if (one.end === null) opening = link;
    else grown[one.end].push(link);
  });
  if (!opening) return null;
  const line = [...grown.L.map(turned).reverse(), opening, ...grown.R];
  const at = line.findIndex((link) => link.tile === stavka);
  const middle = at >= 0 ? at : grown.L.length;
  return {
    root: /** @type {Link} */ (line[middle]),
    arms: {
      L: line.slice(0, middle).map(turned).reverse(),
      R: line.slice(middle + 1),
      U: grown.U,
      D: grown.D,
    },
  };
}

/**
 * @param {Link} link
 * @returns {Link}
 */
function turned(link) {
  return { ...link, near: link.far, far: link.near };
}
