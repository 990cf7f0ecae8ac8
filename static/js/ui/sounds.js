/**
 * Sounds and haptics, made in code. Nothing sounds before the first gesture on the page: no
 * browser would let it.
 *
 * @typedef {import("./settings.js").Settings} Settings
 * @typedef {"tile" | "score" | "dice" | "checker" | "kill" | "turn" | "warn" | "end"} Felt
 *
 * @typedef {object} Burst  noise through a filter: wood, bone
 * @property {number} [at]  seconds from now
 * @property {number} for
 * @property {BiquadFilterType} filter
 * @property {number} hz
 * @property {number} gain
 *
 * @typedef {object} Tone
 * @property {number} [at]
 * @property {number} for
 * @property {OscillatorType} [type]
 * @property {number} hz
 * @property {number} [to]  where it glides
 * @property {number} gain
 */

const GESTURES = ["pointerdown", "pointerup", "keydown", "click"];

/** Short patterns: milliseconds of motion and rest. @type {Record<Felt, number | number[]>} */
const PATTERNS = {
  tile: 12,
  score: [15, 40, 25],
  dice: [8, 30, 8, 30, 8],
  checker: 8,
  kill: [30, 30, 40],
  turn: [20, 60, 20],
  warn: [60, 80, 60],
  end: [40, 80, 80],
};
/** What is worth hearing while another tab is in front. @type {Felt[]} */
const CALLS = ["turn", "warn", "end"];

export class Sounds {
  /** @type {AudioContext | null} */
  #audio = null;
  /** @type {AudioBuffer | null} */
  #noise = null;

  /** @param {Settings} settings */
  constructor(settings) {
    this.settings = settings;
    const wake = () => {
      this.#wake();
      if (this.#audio?.state === "running")
        for (const gesture of GESTURES) removeEventListener(gesture, wake, true);
    };
    if ("AudioContext" in window)
      for (const gesture of GESTURES) addEventListener(gesture, wake, true);
  }

  /** @param {Felt} what */
  feel(what) {
    if (document.hidden && !CALLS.includes(what)) return;
    if (this.settings.get("haptics") && navigator.userActivation?.hasBeenActive)
      navigator.vibrate?.(PATTERNS[what]);
    if (this.settings.get("sound") && this.#audio) this.#play(what);
  }

  #wake() {
    // Not every key is a gesture: before one, a browser only complains.
    if (navigator.userActivation && !navigator.userActivation.isActive && !this.#audio) return;
    this.#audio ??= new AudioContext();
    if (this.#audio.state !== "running") this.#audio.resume().catch(() => {});
  }

  /** @param {Felt} what */
  #play(what) {
    // A phone that slept may have stopped it.
    if (this.#audio?.state !== "running") this.#wake();
    switch (what) {
      case "tile": // bone slapped on a wooden table
        this.#burst({ for: 0.05, filter: "bandpass", hz: 2400, gain: 0.5 });
        this.#burst({ for: 0.1, filter: "lowpass", hz: 420, gain: 0.9 });
        this.#tone({ for: 0.09, hz: 190, to: 110, gain: 0.35 });
        break;
      case "score":
        [523, 659, 784].forEach((hz, n) =>
          this.#tone({ at: 0.12 + n * 0.08, for: 0.28, type: "triangle", hz, gain: 0.14 }),
        );
        break;
      case "dice":
        [0, 0.06, 0.11, 0.19, 0.25, 0.36].forEach((at, n) => {
          this.#burst({ at, for: 0.025, filter: "bandpass", hz: 1700 + (n % 3) * 600, gain: 0.5 });
          this.#tone({ at, for: 0.03, hz: 310 + (n % 2) * 60, gain: 0.12 });
        });
        break;
      case "checker":
        this.#knock(0);
        break;
      case "kill":
        this.#knock(0);
        this.#burst({ at: 0.07, for: 0.14, filter: "lowpass", hz: 300, gain: 0.9 });
        this.#tone({ at: 0.07, for: 0.2, hz: 150, to: 70, gain: 0.4 });
        break;
      case "turn": // a soft bell: its partials are not harmonic
        this.#tone({ for: 1.1, hz: 880, gain: 0.12 });
        this.#tone({ for: 0.5, hz: 880 * 2.76, gain: 0.03 });
        break;
      case "warn":
        for (const at of [0, 0.16])
          this.#tone({ at, for: 0.12, type: "triangle", hz: 740, gain: 0.2 });
        break;
      case "end":
        [392, 494, 587, 784].forEach((hz, n) =>
          this.#tone({ at: n * 0.11, for: 0.5, type: "triangle", hz, gain: 0.14 }),
        );
    }
  }

  /** @param {number} at */
  #knock(at) {
    this.#burst({ at, for: 0.03, filter: "bandpass", hz: 1300, gain: 0.5 });
    this.#tone({ at, for: 0.06, hz: 270, to: 180, gain: 0.25 });
  }

  /** @param {Burst} burst */
  #burst({ at = 0, for: length, filter: type, hz, gain }) {
    const audio = this.#audio;
    if (!audio) return;
    const source = new AudioBufferSourceNode(audio, { buffer: this.#noiseOf(audio) });
    const filter = new BiquadFilterNode(audio, { type, frequency: hz, Q: 0.9 });
    this.#sound(audio, source, filter, at, length, gain);
  }

  /** @param {Tone} tone */
  #tone({ at = 0, for: length, type = "sine", hz, to, gain }) {
    const audio = this.#audio;
    if (!audio) return;
    const source = new OscillatorNode(audio, { type, frequency: hz });
    if (to)
      source.frequency.exponentialRampToValueAtTime(to, audio.currentTime + at + length);
    this.#sound(audio, source, source, at, length, gain);
  }

  /**
   * Struck at once, then dying away.
   *
   * @param {AudioContext} audio
   * @param {AudioScheduledSourceNode} source
   * @param {AudioNode} last  the source itself, or the filter that it goes through
   * @param {number} at
   * @param {number} length
   * @param {number} gain
   */
  #sound(audio, source, last, at, length, gain) {
    const start = audio.currentTime + at;
    const volume = new GainNode(audio, { gain: 0 });
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(gain, start + 0.004);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + length);
    if (last !== source) source.connect(last);
    last.connect(volume).connect(audio.destination);
    source.start(start);
    source.stop(start + length + 0.02);
  }

  /** @param {AudioContext} audio */
  #noiseOf(audio) {
    if (!this.#noise) {
      this.#noise = audio.createBuffer(1, audio.sampleRate * 0.25, audio.sampleRate);
      const samples = this.#noise.getChannelData(0);
      for (let n = 0; n < samples.length; n += 1) samples[n] = Math.random() * 2 - 1;
    }
    return this.#noise;
  }
}
