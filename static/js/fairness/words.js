/**
 * What the check found, and why a handshake stops, in words.
 *
 * @typedef {import("../types.js").Translate} Translate
 * @typedef {import("./check.js").Checked} Checked
 * @typedef {import("./handshake.js").Alarm} Alarm
 */

/**
 * The one sentence of a check.
 *
 * @param {Translate} t
 * @param {Checked} checked
 * @param {string} game
 * @param {string[]} names  by seat
 */
export function verdictText(t, checked, game, names) {
  const { difference } = checked;
  if (difference) {
    const { code, hand, seat, values } = difference;
    const name = seat === null ? "" : (names[seat] ?? "");
    return t(`fairness.differs.${code}`, { ...values, hand: hand ?? "", name });
  }
  const count = checked.shuffles + checked.rolls;
  return t(`fairness.sound.${game}.${checked.kept ? "kept" : "record"}`, { count });
}

/**
 * Why this browser does not go on with a handshake, or does not trust a match.
 *
 * @param {Translate} t
 * @param {Alarm} alarm
 * @param {string[]} names  by seat
 */
export function alarmText(t, alarm, names) {
  const name = alarm.seat === null ? "" : (names[alarm.seat] ?? "");
  return t(`fairness.alarm.${alarm.code}`, { name });
}
