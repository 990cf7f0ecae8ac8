/**
 * The invite link's copy button.
 *
 * @typedef {import("../types.js").Translate} Translate
 */

/** @param {Translate} t */
export function enableCopying(t) {
  const link = /** @type {HTMLInputElement | null} */ (document.getElementById("invite"));
  const copy = /** @type {HTMLButtonElement | null} */ (document.getElementById("copy"));
  const said = document.getElementById("copied");
  if (!link || !copy) return;
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    link.select();
    const copied = await copyText(link.value);
    if (said) said.textContent = t(copied ? "table.copied" : "table.copy_by_hand");
  });
  link.addEventListener("focus", () => link.select());
}

/**
 * The clipboard is there on https and on this computer only; else the old way, which needs the
 * text selected.
 *
 * @param {string} text
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return document.execCommand("copy");
  }
}
