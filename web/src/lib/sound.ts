/** Short quiet sounds, synthesized: no file is loaded. Off until they are switched on. */

import { settings } from "./storage.svelte";

export type SoundName = "take" | "buy" | "reveal" | "turn" | "win";

interface Note {
  at: number; // seconds
  pitch: number; // hertz; for noise the center of its band
  length: number; // seconds until it has faded
  volume: number; // 0 to 1
  wave: "sine" | "triangle" | "noise";
}

const note = (at: number, pitch: number, length: number, volume: number, wave: Note["wave"] = "sine"): Note => ({
  at,
  pitch,
  length,
  volume,
  wave,
});

/** A struck piece of glass: a tone with the overtone that makes it ring. */
const glass = (at: number, pitch: number, length: number, volume: number): Note[] => [
  note(at, pitch, length, volume),
  note(at, pitch * 2.76, length * 0.45, volume * 0.35),
];

export const SOUNDS: Record<SoundName, Note[]> = {
  take: [...glass(0, 1568, 0.16, 0.05), ...glass(0.07, 1865, 0.18, 0.045), note(0, 3200, 0.03, 0.02, "noise")],
  buy: [
    note(0, 900, 0.14, 0.05, "noise"),
    note(0.04, 392, 0.35, 0.06, "triangle"),
    note(0.1, 587.3, 0.4, 0.05, "triangle"),
  ],
  reveal: [note(0, 2400, 0.09, 0.045, "noise"), note(0.08, 1500, 0.06, 0.04, "noise")],
  turn: [...glass(0, 880, 0.5, 0.06), ...glass(0.13, 1318.5, 0.7, 0.06)],
  win: [
    ...glass(0, 523.3, 0.6, 0.06),
    ...glass(0.13, 659.3, 0.6, 0.06),
    ...glass(0.26, 784, 0.6, 0.06),
    ...glass(0.4, 1046.5, 1.3, 0.07),
  ],
};

const ATTACK = 0.006; // seconds; without it a tone starts with a click
const SILENCE = 0.0001; // an exponential fade cannot reach 0

let context: AudioContext | null = null;
let noise: AudioBuffer | null = null;

/** Play a sound, if sounds are switched on and the browser allows them: after a click or a key. */
export function playSound(name: SoundName): void {
  if (!settings.sound || !navigator.userActivation?.hasBeenActive || document.hidden) return;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  for (const one of SOUNDS[name]) playNote(context, one);
}

function playNote(audio: AudioContext, { at, pitch, length, volume, wave }: Note): void {
  const start = audio.currentTime + at;
  const gain = audio.createGain();
  gain.gain.setValueAtTime(SILENCE, start);
  gain.gain.linearRampToValueAtTime(volume, start + ATTACK);
  gain.gain.exponentialRampToValueAtTime(SILENCE, start + length);
  const source = wave === "noise" ? noiseSource(audio, pitch) : toneSource(audio, pitch, wave);
  source.output.connect(gain).connect(audio.destination);
  source.input.start(start);
  source.input.stop(start + length);
}

interface Source {
  input: AudioScheduledSourceNode;
  output: AudioNode;
}

function toneSource(audio: AudioContext, pitch: number, wave: OscillatorType): Source {
  const input = audio.createOscillator();
  input.type = wave;
  input.frequency.value = pitch;
  return { input, output: input };
}

/** Noise in a band around a pitch, as of a card that is laid down. */
function noiseSource(audio: AudioContext, pitch: number): Source {
  noise ??= whiteNoise(audio);
  const input = audio.createBufferSource();
  input.buffer = noise;
  const output = audio.createBiquadFilter();
  output.type = "bandpass";
  output.frequency.value = pitch;
  input.connect(output);
  return { input, output };
}

function whiteNoise(audio: AudioContext): AudioBuffer {
  const buffer = audio.createBuffer(1, audio.sampleRate / 4, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = 2 * Math.random() - 1;
  return buffer;
}
