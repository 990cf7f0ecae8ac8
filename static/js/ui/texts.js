/**
 * The page's own language: a catalogue of texts with {placeholders}.
 *
 * @typedef {import("../types.js").Translate} Translate
 */

/**
 * A key that is missing shows as itself: seen at once, and nothing breaks.
 *
 * @param {Record<string, string>} catalogue
 * @returns {Translate}
 */
export function translator(catalogue) {
  return (key, values = {}) =>
    (catalogue[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) =>
      name in values ? String(values[name]) : whole,
    );
}

/**
 * A refusal or a reason in words: by its code, else by its rule's number.
 *
 * @param {Translate} t
 * @param {{code: string, rule: string, values: Record<string, string | number>}} refusal
 */
export function refusalText(t, refusal) {
  const key = `refusal.${refusal.code}`;
  const text = t(key, refusal.values);
  return text === key ? t("refusal.other", { rule: refusal.rule }) : text;
}

/** The catalogue that the page carries. */
export function pageCatalogue() {
  const holder = document.getElementById("catalogue");
  return /** @type {Record<string, string>} */ (JSON.parse(holder?.textContent || "{}"));
}
