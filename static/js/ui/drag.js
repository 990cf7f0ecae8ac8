/**
 * Dragging with finger, mouse or pen. A press that does not move stays a click; the click that
 * the browser makes of a drag's end is swallowed. Escape, a second finger and whatever the browser
 * takes the pointer away for cancel it.
 *
 * What can be dragged needs `touch-action: none; user-select: none` in its style.
 */

/** So far a press may wander and still be a click, in pixels. */
const WANDER = 6;
/** The click of a drag's end comes at once, or not at all; in milliseconds. */
const AFTER = 400;

/**
 * All places are those of the window (`clientX`, `clientY`).
 *
 * @template T
 * @param {HTMLElement} root  which stays in the page while something in it is dragged
 * @param {object} does
 * @param {(target: Element, x: number, y: number) => T | null} does.lift  what is taken up with
 *   what was pressed, and where; null: nothing can be
 * @param {(what: T, x: number, y: number) => void} does.move
 * @param {(what: T, x: number, y: number) => void} does.drop
 * @param {(what: T) => void} does.cancel
 * @returns {() => void} cancels what is being dragged, if anything is
 */
export function draggable(root, { lift, move, drop, cancel }) {
  /** @type {AbortController | null} listens while something is pressed */
  let press = null;
  /** @type {T | null} */
  let held = null;

  const letGo = () => {
    const what = held;
    press?.abort();
    press = held = null;
    root.classList.remove("dragging");
    return what;
  };

  const stop = () => {
    const what = letGo();
    if (what === null) return;
    swallowClick();
    cancel(what);
  };

  root.addEventListener("pointerdown", (down) => {
    const { target, pointerId, clientX: x, clientY: y } = down;
    if (press || !down.isPrimary || down.button !== 0 || !(target instanceof Element)) return;
    press = new AbortController();
    const during = { signal: press.signal, capture: true };
    /** @param {PointerEvent} event */
    const moved = (event) => {
      if (event.pointerId !== pointerId) return;
      const { clientX, clientY } = event;
      if (held === null) {
        if (Math.hypot(clientX - x, clientY - y) < WANDER) return;
        held = lift(target, x, y);
        if (held === null) {
          letGo();
          return;
        }
        root.setPointerCapture(pointerId);
        root.classList.add("dragging");
      }
      move(held, clientX, clientY);
    };
    /** @param {PointerEvent} event */
    const released = (event) => {
      if (event.pointerId !== pointerId) return;
      const what = letGo();
      if (what === null) return;
      swallowClick();
      drop(what, event.clientX, event.clientY);
    };
    addEventListener("pointermove", moved, during);
    addEventListener("pointerup", released, during);
    addEventListener("pointercancel", stop, during);
    // A second finger: it is no drag any more.
    addEventListener("pointerdown", stop, during);
    addEventListener(
      "keydown",
      (event) => {
        if (event.key !== "Escape" || held === null) return;
        event.stopPropagation();
        stop();
      },
      during,
    );
  });
  return stop;
}

function swallowClick() {
  const over = new AbortController();
  const until = { signal: over.signal, capture: true };
  addEventListener(
    "click",
    (event) => {
      // A button pressed by keyboard has no detail.
      if (event.detail === 0) return;
      event.stopPropagation();
      event.preventDefault();
    },
    until,
  );
  addEventListener("pointerdown", () => over.abort(), until);
  setTimeout(() => over.abort(), AFTER);
}
