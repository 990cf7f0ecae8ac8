/** Small makers of elements. Text is always set as text, never as markup. */

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | null | undefined | false} Child */

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | number | boolean | null | undefined>} [attributes]
 *   true sets an empty attribute; false, null and undefined leave it out
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  setAttributes(made, attributes);
  add(made, children);
  return made;
}

/**
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | number | boolean | null | undefined>} [attributes]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  setAttributes(made, attributes);
  add(made, children);
  return made;
}

/**
 * @param {string} label  the spoken and shown name
 * @param {() => void} press
 * @param {string} [classes]
 */
export function button(label, press, classes = "") {
  const made = el("button", { type: "button", class: classes || null }, label);
  made.addEventListener("click", press);
  return made;
}

/**
 * @param {Element} element
 * @param {Record<string, string | number | boolean | null | undefined>} attributes
 */
function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * @param {Element} element
 * @param {Child[]} children
 */
function add(element, children) {
  for (const child of children) if (child) element.append(child);
}

/**
 * Unchanged text is left alone, so that a live region does not read it out again.
 *
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Does the viewer want no motion? */
export function still() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * Can what had the focus have it no longer?
 *
 * @param {Element | null} element
 */
export function isLost(element) {
  if (!element?.isConnected || element.matches(":disabled")) return true;
  return element.closest("[hidden]") !== null || element.checkVisibility?.() === false;
}
