import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

/** An audio context that counts what is started. */
class FakeAudio {
  static made: FakeAudio[] = [];
  started = 0;
  state = "running";
  currentTime = 0;
  sampleRate = 8000;
  destination = {};
  constructor() {
    FakeAudio.made.push(this);
  }
  #node() {
    const parameter = {
      value: 0,
      setValueAtTime: vi.fn(),
      linearRampToValueAtTime: vi.fn(),
      exponentialRampToValueAtTime: vi.fn(),
    };
    const start = () => (this.started += 1);
    return { connect: (to: unknown) => to, start, stop: vi.fn(), frequency: parameter, gain: parameter };
  }
  createGain = () => this.#node();
  createOscillator = () => this.#node();
  createBufferSource = () => this.#node();
  createBiquadFilter = () => this.#node();
  createBuffer = (_: number, length: number) => ({ getChannelData: () => new Float32Array(length) });
}

async function load(hasBeenActive: boolean) {
  vi.resetModules();
  FakeAudio.made = [];
  vi.stubGlobal("AudioContext", FakeAudio);
  Object.defineProperty(navigator, "userActivation", { value: { hasBeenActive }, configurable: true });
  const { settings } = await import("../../src/lib/storage.svelte");
  return { settings, ...(await import("../../src/lib/sound")) };
}

beforeEach(() => localStorage.clear());
afterEach(() => vi.unstubAllGlobals());

describe("sounds", () => {
  it("are off until they are switched on", async () => {
    const { settings, playSound } = await load(true);
    expect(settings.sound).toBe(false);
    playSound("turn");
    expect(FakeAudio.made).toEqual([]);
    settings.sound = true;
    playSound("turn");
    expect(FakeAudio.made[0]?.started).toBeGreaterThan(0);
  });

  it("wait for the first click or key", async () => {
    const { settings, playSound } = await load(false);
    settings.sound = true;
    playSound("take");
    expect(FakeAudio.made).toEqual([]);
  });

  it("share one audio context", async () => {
    const { settings, playSound } = await load(true);
    settings.sound = true;
    for (const name of ["take", "buy", "reveal", "turn", "win"] as const) playSound(name);
    expect(FakeAudio.made).toHaveLength(1);
  });

  it("are short and quiet", async () => {
    const { SOUNDS } = await load(true);
    expect(Object.keys(SOUNDS).sort()).toEqual(["buy", "reveal", "take", "turn", "win"]);
    for (const [name, notes] of Object.entries(SOUNDS)) {
      const end = Math.max(...notes.map(({ at, length }) => at + length));
      expect(end, name).toBeLessThan(name === "win" ? 2 : 1);
      expect(Math.max(...notes.map(({ volume }) => volume)), name).toBeLessThanOrEqual(0.08);
    }
  });
});
