/** Arrow keys among the cards and tokens of a part of the table. */

const TURNS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Let arrow keys move the focus to the nearest button in their direction. */
export function arrows(part: HTMLElement): () => void {
  const move = (event: KeyboardEvent) => moveAmong(part, event);
  part.addEventListener("keydown", move);
  return () => part.removeEventListener("keydown", move);
}

function moveAmong(part: HTMLElement, event: KeyboardEvent): void {
  const turn = TURNS[event.key];
  const from = (event.target as HTMLElement).closest("button");
  if (!turn || !from) return;
  const here = center(from);
  let best: HTMLElement | null = null;
  let shortest = Infinity;
  for (const button of part.querySelectorAll("button")) {
    const there = center(button);
    const along = (there.x - here.x) * turn[0] + (there.y - here.y) * turn[1];
    const aside = Math.abs((there.x - here.x) * turn[1]) + Math.abs((there.y - here.y) * turn[0]);
    if (along > 4 && along + 3 * aside < shortest && aside <= along * 2) {
      shortest = along + 3 * aside;
      best = button;
    }
  }
  if (best) {
    event.preventDefault();
    best.focus();
  }
}

function center(element: HTMLElement): { x: number; y: number } {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}
