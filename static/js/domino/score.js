/**
 * What a layout is worth: the size of its tiles, less ugly corners, less tiles moved since the
 * last one. Pure.
 *
 * @typedef {import("./search.js").Problem} Problem
 * @typedef {import("./stones.js").Direction} Direction
 * @typedef {import("./stones.js").Stone} Stone
 *
 * @typedef {{unit: number, score: number, moved: number}} Worth
 */

/** What lowers the score, as a share of the tile's width: a tile moved, and how many may move
 * before one more hardly matters; */
const MOVED = 0.05;
const MANY = 12;
/** a tile that does not come to lie where its place was shown; */
const ASTRAY = 0.04;
/** a corner, more so after one to the other side, near the root, at an arm's last tile or at the
 * place behind it. */
const CORNER = 0.012;
const ZIGZAG = 0.03;
const NEAR_ROOT = 0.008;
const LAST = 0.03;
const LAST_PLACE = 0.02;
/** Size counts more below what a finger wants, in pixels, and less above what is comfortable, a
 * share of the field. */
const SMALL = Math.log(28);
const LARGE = 1 / 9;
const HARD = 2.2;
const EASY = 0.4;

/** @param {Problem} problem */
export function scorer({ arms, facing, width, height, widest }) {
  const large = Math.max(SMALL, Math.log(Math.sqrt(width * height) * LARGE));

  /** @param {number} moved */
  const upset = (moved) => (MOVED * moved) / (1 + moved / MANY);

  /** @param {number} unit */
  const worth = (unit) => {
    const size = Math.log(unit);
    return size - (HARD - 1) * Math.max(0, SMALL - size) - (1 - EASY) * Math.max(0, size - large);
  };

  return {
    /**
     * How wide tiles must be for a score, if so many move.
     *
     * @param {number} score
     * @param {number} moved
     */
    wanted(score, moved) {
      const size = score + upset(moved);
      if (size < SMALL) return Math.exp(SMALL - (SMALL - size) / HARD);
      return Math.exp(size > large ? large + (size - large) / EASY : size);
    },

    /**
     * @param {Stone} root
     * @param {Stone[][]} stones  of every arm
     * @returns {Worth}
     */
    judge(root, stones) {
      let x = 0;
      let y = 0;
      let farX = root.w;
      let farY = root.h;
      let penalty = 0;
      let moved = 0;
      for (let a = 0; a < 4; a += 1) {
        const { kept, next, tiles, size } = arms[a];
        let stays = root.d === facing;
        let turned = -9;
        for (let k = 0; k < size; k += 1) {
          const made = stones[a][k];
          const { step } = made;
          x = Math.min(x, made.x);
          y = Math.min(y, made.y);
          farX = Math.max(farX, made.x + made.w);
          farY = Math.max(farY, made.y + made.h);
          if (k < kept.length) {
            stays &&= step === kept[k];
            if (!stays) moved += 1;
          } else if (k === kept.length && stays && next !== null && step !== next) {
            penalty += ASTRAY;
          }
          if (step === 0) continue;
          penalty += CORNER;
          if (k === 1 && step > 2) penalty += NEAR_ROOT;
          if (k === tiles) penalty += LAST_PLACE;
          if (k === tiles - 1) penalty += LAST;
          if (k - turned < 4 && (stones[a][turned].step & 1) !== (step & 1)) penalty += ZIGZAG;
          turned = k;
        }
      }
      const unit = Math.min(widest, (2 * width) / (farX - x), (2 * height) / (farY - y));
      return { unit, moved, score: worth(unit) - penalty - upset(moved) };
    },
  };
}
