/** Timing and paths of animations, and where elements are. Nothing here moves anything. */

import { settings, type Speed } from "./storage.svelte";

const FACTORS: Record<Speed, number> = { normal: 1, fast: 0.5, off: 0 };
const MIN_FLIGHT = 350; // milliseconds at normal speed, as all of these
const MAX_FLIGHT = 600;
const MS_PER_PIXEL = 0.3;
const MAX_STAGGER = 80;
const STAGGERED_WITHIN = 480; // between the first and the last of many pieces
export const TURN_OVER = 260;
export const PAUSE_BETWEEN_MOVES = 550;

const clamp = (n: number, from: number, to: number) => Math.max(from, Math.min(n, to));

/** Return whether nothing may move: by the setting, by the system's, or because nobody sees it. */
export function isMotionOff(): boolean {
  return settings.speed === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;
}

/** Return a time at normal speed as a time at the speed of the settings. */
export function scaled(milliseconds: number, speed: Speed = settings.speed): number {
  return milliseconds * FACTORS[speed];
}

/** Return how long a piece takes for a distance in pixels. */
export function flightTime(distance: number, speed: Speed = settings.speed): number {
  return scaled(clamp(MIN_FLIGHT + distance * MS_PER_PIXEL, MIN_FLIGHT, MAX_FLIGHT), speed);
}

/** Return when each of some pieces starts: one after the other, many of them closer together. */
export function startTimes(count: number, speed: Speed = settings.speed): number[] {
  const step = Math.min(MAX_STAGGER, STAGGERED_WITHIN / Math.max(1, count));
  return Array.from({ length: count }, (_, i) => scaled(i * step, speed));
}

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Return the box of an element; null if it is not shown: such an element has no place. */
export function placeOf(element: Element | null | undefined): Box | null {
  if (!element?.isConnected) return null;
  const { left, top, width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0 ? { left, top, width, height } : null;
}

const centerOf = (box: Box) => ({ x: box.left + box.width / 2, y: box.top + box.height / 2 });

export function distance(from: Box, to: Box): number {
  const [a, b] = [centerOf(from), centerOf(to)];
  return Math.hypot(b.x - a.x, b.y - a.y);
}

const SAMPLES = 12;

/**
 * Return the keyframes of a piece that moves from one box to another on an arc.
 *
 * The arc is a parabola that bends upwards, and sideways where the way itself leads up or down. The
 * piece grows a little halfway, as if it were lifted.
 */
export function arcKeyframes(from: Box, to: Box, endOpacity = 1): Keyframe[] {
  const [a, b] = [centerOf(from), centerOf(to)];
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const lift = clamp(distance(from, to) * 0.2, 10, 90);
  const isSteep = Math.abs(dy) > 2 * Math.abs(dx);
  const [bendX, bendY] = isSteep ? [dx < 0 ? -lift : lift, 0] : [0, -lift];
  const endScale = Math.min(to.width / from.width, to.height / from.height);
  return Array.from({ length: SAMPLES + 1 }, (_, i) => {
    const at = i / SAMPLES;
    const height = 4 * at * (1 - at); // 0 at both ends, 1 halfway
    const x = (dx * at + bendX * height).toFixed(1);
    const y = (dy * at + bendY * height).toFixed(1);
    const scale = ((1 + (endScale - 1) * at) * (1 + 0.12 * height)).toFixed(3);
    const opacity = at < 0.75 ? 1 : 1 + (endOpacity - 1) * (at - 0.75) * 4;
    return { offset: at, transform: `translate(${x}px, ${y}px) scale(${scale})`, opacity };
  });
}
