/**
 * The button that sends the address of a page on: by the phone's own sheet where it has one, else
 * it is copied.
 *
 * @typedef {import("../types.js").Translate} Translate
 */

import { copyText } from "./invite.js";

/** @param {Translate} t */
export function share(t) {
  const link = /** @type {HTMLInputElement | null} */ (document.getElementById("link"));
  const press = /** @type {HTMLButtonElement | null} */ (document.getElementById("share"));
  const said = document.getElementById("shared");
  if (!link || !press || !said) return;
  const bare = link.value;
  // To the very moment that is shown, if one is.
  const follow = () => (link.value = bare + location.hash);
  press.hidden = false;
  press.addEventListener("click", async () => {
    follow();
    said.textContent = "";
    if (await sent(press.dataset.title ?? "", link.value)) return;
    link.select();
    said.textContent = t((await copyText(link.value)) ? "match.shared" : "match.share_by_hand");
  });
  link.addEventListener("focus", () => {
    follow();
    link.select();
  });
}

/**
 * Has it been sent, or not wanted after all? False: there is no such sheet here.
 *
 * @param {string} title
 * @param {string} url
 */
async function sent(title, url) {
  if (!navigator.share) return false;
  try {
    await navigator.share({ title, url });
    return true;
  } catch (error) {
    return error instanceof DOMException && error.name === "AbortError";
  }
}
