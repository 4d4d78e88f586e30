/** Which pieces a log line moves, from where, and to where. Pieces are named by `data-piece`. */

import { parseDecision } from "./decisions";
import type { AnyViewData, GameEvent } from "./messages";

/** A counter that changes when a piece lands, and by how much. */
export interface Landing {
  counter: string;
  amount: number;
}

export interface Flight {
  from: string[]; // it starts at the first of these that is shown before the move
  to: string[]; // and ends at the first of these that is shown after it
  picture: { token: string } | { back: number } | "copy"; // a copy of what is drawn at `from`
  isLate?: boolean; // it follows the others: cards and tokens that fill gaps
  isFestive?: boolean; // a royal or a noble
  lands: Landing[];
}

const MAX_COPIES = 4; // of tokens of one kind that move together

/** Return the flights of a log line. `after` is the table that it led to. */
export function planFlights(line: GameEvent, after?: AnyViewData): Flight[] {
  return [
    ...tokenFlights(line),
    ...privilegeFlights(line),
    ...gainedCards(line),
    ...reservedCard(line, after),
    ...Object.entries(line.laid ?? {}).map(([cell, token]): Flight => ({
      from: ["bag"],
      to: [`cell:${cell}`],
      picture: { token },
      isLate: true,
      lands: [],
    })),
    ...(line.arrivals ?? []).map(({ level, card }): Flight => ({
      from: [`deck:${level}`],
      to: [`card:${card}`],
      picture: { back: level },
      isLate: true,
      lands: [],
    })),
  ];
}

const purse = (seat: string | number, kind: string) => [`purse:${seat}:${kind}`, `purse:${seat}`, `panel:${seat}`];

function tokenLanding(seat: string | number, kind: string, amount: number): Landing[] {
  return [
    { counter: `purse:${seat}:${kind}`, amount },
    { counter: `tokens:${seat}`, amount },
  ];
}

function tokenFlights(line: GameEvent): Flight[] {
  const flights: Flight[] = [];
  const changes = Object.entries(line.tokens ?? {}).flatMap(([seat, change]) =>
    Object.entries(change).map(([kind, n]) => ({ seat, kind, n })),
  );
  const gains = changes.filter(({ n }) => n > 0);
  const losses = changes.filter(({ n }) => n < 0);
  for (const [cell, kind] of Object.entries(line.taken ?? {})) {
    const gain = gains.find((one) => one.kind === kind && one.n > 0);
    const seat = gain?.seat ?? line.seat;
    const lands = gain ? tokenLanding(seat, kind, 1) : [];
    if (gain) gain.n -= 1;
    flights.push({ from: [`cell:${cell}`], to: purse(seat, kind), picture: { token: kind }, lands });
  }
  for (const gain of gains) {
    const loss = losses.find((one) => one.kind === gain.kind && one.seat !== gain.seat);
    if (loss) loss.n += gain.n; // from another seat
    const from = loss ? purse(loss.seat, gain.kind) : [`supply:${gain.kind}`, "bag"];
    flights.push(
      ...copies(gain.n, (n) => ({
        from,
        to: purse(gain.seat, gain.kind),
        picture: { token: gain.kind },
        lands: tokenLanding(gain.seat, gain.kind, n),
      })),
    );
  }
  for (const { seat, kind, n } of losses)
    flights.push(
      ...copies(-n, (amount) => ({
        from: purse(seat, kind),
        to: [`supply:${kind}`, "bag"],
        picture: { token: kind },
        lands: [{ counter: `supply:${kind}`, amount }],
      })),
    );
  return flights;
}

/** Return one flight for each token, but not too many: the last one stands for the rest. */
function copies(count: number, flight: (amount: number) => Flight): Flight[] {
  const number = Math.max(0, Math.min(count, MAX_COPIES));
  return Array.from({ length: number }, (_, i) => flight(i === number - 1 ? count - i : 1));
}

function privilegeFlights(line: GameEvent): Flight[] {
  const changes = Object.entries(line.privileges ?? {});
  const places = (seat: string) => [`privileges:${seat}`, `purse:${seat}`, `panel:${seat}`];
  const giver = changes.find(([, n]) => n < 0)?.[0];
  const taker = changes.find(([, n]) => n > 0)?.[0];
  if (taker) {
    const from = giver ? places(giver) : ["privileges"];
    return [{ from, to: places(taker), picture: "copy", lands: [] }];
  }
  return giver ? [{ from: places(giver), to: ["privileges"], picture: "copy", lands: [] }] : [];
}

function gainedCards({ seat, gained = [], points, crowns }: GameEvent): Flight[] {
  return gained.map((card, i) => {
    const isFestive = /^[RN]/.test(card);
    const lands: Landing[] = [];
    if (!isFestive) lands.push({ counter: `tableau:${seat}`, amount: 1 });
    if (i === 0) {
      if (points?.[seat]) lands.push({ counter: `points:${seat}`, amount: points[seat] });
      if (crowns?.[seat]) lands.push({ counter: `crowns:${seat}`, amount: crowns[seat] });
    }
    const from = [`card:${card}`, `reserve:${seat}`];
    return { from, to: [`card:${card}`, `tableau:${seat}`, `panel:${seat}`], picture: "copy", isFestive, lands };
  });
}

function reservedCard({ seat, decision }: GameEvent, after?: AnyViewData): Flight[] {
  const { verb, args } = parseDecision(decision);
  const what = args[0];
  if (verb !== "reserve" || !what) return [];
  const deck = /^deck(\d)/.exec(what)?.[1];
  const card = deck ? after?.players[seat]?.reserved.at(-1) : what;
  return [
    {
      from: [deck ? `deck:${deck}` : `card:${what}`],
      to: [...(card ? [`card:${card}`] : []), `reserve:${seat}`, `panel:${seat}`],
      picture: deck ? { back: Number(deck) } : "copy",
      lands: [],
    },
  ];
}
