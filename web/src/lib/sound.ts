/** The sound at the start of the player's turn, synthesized: no file is loaded. */

let context: AudioContext | null = null;

export function playTurnSound(): void {
  context ??= new AudioContext();
  const [now, tone, volume] = [context.currentTime, context.createOscillator(), context.createGain()];
  tone.frequency.setValueAtTime(880, now);
  tone.frequency.setValueAtTime(1320, now + 0.09);
  volume.gain.setValueAtTime(0.08, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + 0.5);
  tone.connect(volume).connect(context.destination);
  tone.start(now);
  tone.stop(now + 0.5);
}
