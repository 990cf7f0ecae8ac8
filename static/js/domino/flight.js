/**
 * Tiles in motion. A tile's element is always an upright one, low half on top; its pose says where
 * its middle lies, how wide it is and how far it is turned.
 *
 * @typedef {import("./layout.js").Box} Box
 *
 * @typedef {{x: number, y: number, unit: number, angle: number}} Pose  angle in degrees
 */

import { still } from "../ui/dom.js";

/** Milliseconds: what glides aside, and what travels. */
export const GLIDE = 240;
export const TRAVEL = 320;

/**
 * How a tile stands or lies in a box.
 *
 * @param {Box} box
 * @param {boolean} lowFirst  is the low half the upper one, or the left one
 * @returns {Pose}
 */
export function poseIn({ x, y, width, height }, lowFirst) {
  const angle = width > height ? -90 : 0;
  return {
    x: x + width / 2,
    y: y + height / 2,
    unit: Math.min(width, height),
    angle: lowFirst ? angle : angle + 180,
  };
}

/**
 * The pose as a transform of an element that is `unit` wide and lies in the corner.
 *
 * @param {Pose} pose
 * @param {number} unit
 */
export function transformOf(pose, unit) {
  const move = `translate(${pose.x - unit / 2}px, ${pose.y - unit}px)`;
  return `${move} rotate(${pose.angle}deg) scale(${pose.unit / unit})`;
}

/**
 * @param {HTMLElement} element
 * @param {Pose} pose
 */
export function setPose(element, pose) {
  element.style.width = `${pose.unit}px`;
  element.style.height = `${2 * pose.unit}px`;
  element.style.transform = transformOf(pose, pose.unit);
}

/**
 * From where a tile was to where it is, the short way round.
 *
 * @param {HTMLElement} element
 * @param {Pose} from
 * @param {Pose} to
 * @param {number} duration
 * @returns {Promise<void>}
 */
export function travel(element, from, to, duration) {
  const turned = ((((to.angle - from.angle) % 360) + 540) % 360) - 180;
  const start = { ...from, angle: to.angle - turned };
  return animate(
    element,
    [{ transform: transformOf(start, to.unit) }, { transform: transformOf(to, to.unit) }],
    duration,
  );
}

/**
 * Resolves when it has come to an end; at once without motion.
 *
 * @param {Element} element
 * @param {Keyframe[]} frames
 * @param {number} duration
 * @param {number} [delay]
 * @returns {Promise<void>}
 */
export async function animate(element, frames, duration, delay = 0) {
  if (still() || document.hidden) return;
  const motion = element.animate(frames, {
    duration,
    delay,
    easing: "cubic-bezier(0.2, 0.7, 0.3, 1)",
    fill: "backwards",
  });
  // Cancelled by the next motion: that one ends it.
  await motion.finished.catch(() => {});
}

/**
 * An element comes to its place from another one: it starts where that lies, and as small.
 *
 * @param {HTMLElement} element
 * @param {DOMRect | null} from
 * @param {number} [delay]
 */
export async function comeFrom(element, from, delay = 0) {
  const to = element.getBoundingClientRect();
  if (!from || to.width === 0) return;
  const dx = from.x + from.width / 2 - to.x - to.width / 2;
  const dy = from.y + from.height / 2 - to.y - to.height / 2;
  const start = `translate(${dx}px, ${dy}px) scale(${from.width / to.width})`;
  await animate(element, [{ transform: start, opacity: 0.6 }, {}], TRAVEL, delay);
}
