// Small sounds, made on the spot; none unless they are switched on.
import { settings } from './memory.js';

let context;

/** Of each sound: the notes, one after the other, as frequency, seconds, loudness and wave. */
const SOUNDS = {
  move: [[240, 0.05, 0.1, 'triangle']],
  home: [[520, 0.07, 0.08, 'sine']],
  deal: [
    [200, 0.04, 0.07, 'triangle'],
    [260, 0.04, 0.07, 'triangle'],
    [320, 0.05, 0.07, 'triangle'],
  ],
  no: [[130, 0.09, 0.08, 'square']],
  win: [
    [523, 0.12, 0.1, 'sine'],
    [659, 0.12, 0.1, 'sine'],
    [784, 0.12, 0.1, 'sine'],
    [1047, 0.3, 0.12, 'sine'],
  ],
};

export function sound(name) {
  if (!settings.sound) return;
  context ??= new AudioContext();
  let at = context.currentTime;
  for (const [frequency, seconds, loud, type] of SOUNDS[name]) {
    const tone = new OscillatorNode(context, { frequency, type });
    const gain = new GainNode(context, { gain: loud });
    gain.gain.setValueAtTime(loud, at);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
    tone.connect(gain).connect(context.destination);
    tone.start(at);
    tone.stop(at + seconds);
    at += seconds * 0.8;
  }
}
