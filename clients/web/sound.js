// The sound of a move: a knock, and a second one if it captures.

/** Its pitch, its length in seconds, and its loudness from 0 to 1 (chosen, not measured). */
const [PITCH, LENGTH, LOUDNESS] = [320, 0.09, 0.25];
/** How much later and lower a capture is heard, in seconds and as a part of the pitch. */
const [LATER, LOWER] = [0.12, 0.6];

/** @type {AudioContext | null} */
let context = null;

/** Knocks. @param {AudioContext} audio @param {number} pitch @param {number} at */
function knock(audio, pitch, at) {
  const [tone, gain] = [audio.createOscillator(), audio.createGain()];
  tone.type = "triangle";
  tone.frequency.value = pitch;
  gain.gain.setValueAtTime(LOUDNESS, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + LENGTH);
  tone.connect(gain).connect(audio.destination);
  tone.start(at);
  tone.stop(at + LENGTH);
}

/** Lets a move be heard. A browser allows it once the user has done something. @param {import("./notation.js").Told} told */
export function soundOf(told) {
  if (!("AudioContext" in globalThis) || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  knock(context, PITCH, context.currentTime);
  if (told.captures.length) knock(context, PITCH * LOWER, context.currentTime + LATER);
}
