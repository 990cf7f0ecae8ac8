/**
 * In which order a player's tiles stand: as they came, as the player put them, or sorted.
 */

import { halves } from "./tile.js";

/**
 * The order kept, without the tiles that are gone, new ones behind.
 *
 * @param {string[]} before
 * @param {string[]} tiles
 */
export function kept(before, tiles) {
  const stay = before.filter((tile) => tiles.includes(tile));
  return [...stay, ...tiles.filter((tile) => !stay.includes(tile))];
}

/**
 * By the higher half, then by the lower one, the highest first.
 *
 * @param {string[]} tiles
 */
export function sorted(tiles) {
  return [...tiles].sort((a, b) => {
    const [low, high] = halves(a);
    const [lower, higher] = halves(b);
    return higher - high || lower - low;
  });
}

/**
 * One tile taken to where another one stands.
 *
 * @param {string[]} order
 * @param {string} tile
 * @param {string} target
 */
export function moved(order, tile, target) {
  const at = order.indexOf(target);
  const rest = order.filter((one) => one !== tile);
  rest.splice(at, 0, tile);
  return rest;
}
