/** Arrow keys move the focus among the buttons of one part of the table. */

export interface Point {
  x: number;
  y: number;
}

const DIRECTIONS: Record<string, Point> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};
const MIN_DISTANCE = 4; // pixels: buttons of one row need not be aligned exactly
const SIDEWAYS_WEIGHT = 3;
const MAX_SIDEWAYS_RATIO = 2;

/** Return the index of the nearest point in the direction of an arrow key, or -1. */
export function nearestInDirection(key: string, from: Point, points: Point[]): number {
  const direction = DIRECTIONS[key];
  if (!direction) return -1;
  let nearest = -1;
  let shortest = Infinity;
  points.forEach((point, i) => {
    const [dx, dy] = [point.x - from.x, point.y - from.y];
    const along = dx * direction.x + dy * direction.y;
    const sideways = Math.abs(dx * direction.y) + Math.abs(dy * direction.x);
    const distance = along + SIDEWAYS_WEIGHT * sideways;
    if (along > MIN_DISTANCE && sideways <= along * MAX_SIDEWAYS_RATIO && distance < shortest) {
      shortest = distance;
      nearest = i;
    }
  });
  return nearest;
}

/** Attach to an element: arrow keys focus the nearest button in their direction. */
export function arrowNavigation(part: HTMLElement): () => void {
  const onKeydown = (event: KeyboardEvent) => moveFocus(part, event);
  part.addEventListener("keydown", onKeydown);
  return () => part.removeEventListener("keydown", onKeydown);
}

function moveFocus(part: HTMLElement, event: KeyboardEvent): void {
  const from = (event.target as HTMLElement).closest("button");
  if (!from || !(event.key in DIRECTIONS)) return;
  const buttons = [...part.querySelectorAll("button")];
  const next = buttons[nearestInDirection(event.key, center(from), buttons.map(center))];
  if (next) {
    event.preventDefault();
    next.focus();
  }
}

function center(element: HTMLElement): Point {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}
