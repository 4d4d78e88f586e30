/** Who is on which portrait: royals and nobles by the id of their card, bots by their level. */

/** A person as layers of parts from `PortraitParts.svelte`, and their colors from theme.css. */
export interface Portrait {
  /** The palette of the background. */
  tone: string;
  skin: number;
  hair: number;
  robe: number;
  /** The color of hats, sashes and stones. */
  trim: number;
  /** Parts from back to front. */
  parts: string[];
}

/** Return the portrait of "tone skin hair robe trim back|body|face", with the parts that everybody has. */
function portrait(text: string): Portrait {
  const [colors = "", back = "", body = "", face = ""] = text.split("|").map((part) => part.trim());
  const [tone = "", skin, hair, robe, trim] = colors.split(" ");
  const list = (parts: string) => parts.split(" ").filter(Boolean);
  return {
    tone,
    skin: Number(skin),
    hair: Number(hair),
    robe: Number(robe),
    trim: Number(trim),
    parts: [...list(back), "body", "neck", ...list(body), "head", ...list(face)],
  };
}

const PEOPLE: Record<string, Portrait> = Object.fromEntries(
  [
    // royals
    "R1: k 2 1 4 0| |epaulettes|mask moustache goatee short dome",
    "R2: r 0 4 0 1|long|bare pearls|eyes lips parted tiara earrings",
    "R3: u 3 2 2 3|bun|bare pendant|lids lips parted circlet earrings",
    "R4: plain 1 3 0 2| |ermine chain|stern beard short crown",
    "R5: g 2 1 1 5|long fan|bare pearls|lids lips parted crown",
    "R6: joker 3 0 5 4|curls|bare pendant|eyes lips parted crown earrings",
    "R7: v 0 3 2 0|veil|ermine|lids lips tufts dome earrings",
    "R8: r 1 1 3 1| |sash epaulettes|eyes moustache short crown",
    "R9: v 3 0 4 2|fan|bare pendant|mask lips parted tiara",
    "R10: g 0 2 1 3|curls|jabot|eyes smile goatee moustache parted dome",
    "R11: plain 2 1 3 0| |chain|stern pointed wreath",
    "R12: u 1 4 5 1|braids|pearls|eyes smile parted wreath earrings",
    // nobles
    "N01: u 0 3 2 2|curls|jabot|stern wig",
    "N02: g 3 4 1 3|bun fan|bare pearls|lids lips parted earrings",
    "N03: r 1 1 3 0| |ruff|stern goatee moustache short beret",
    "N04: k 3 0 4 0|long|ruff|lids lips parted hood",
    "N05: w 2 1 5 2| |chain|eyes beard turban",
    "N06: u 0 2 1 5|veil|bare pendant|eyes lips parted hennin",
    "N07: g 1 3 0 1| |ruff chain|stern pointed tufts cap",
    "N08: r 3 4 4 4|curls|sash epaulettes|eyes moustache wig tricorn",
    "N09: k 2 1 0 3|braids|pearls|lids lips parted circlet earrings",
    "N10: w 0 0 2 5|long|ruff pendant|eyes smile parted beret",
  ].map((line) => {
    const [id = "", text = ""] = line.split(": ");
    return [id, portrait(text)];
  }),
);

/** Bots by level, from the apprentice to the master jeweller; the first is for all others. */
const BOTS = [
  "plain 0 0 4 0| |lapels|",
  "w 0 2 1 3| |apron|freckles eyes smile tousled peaked", // apprentice
  "u 1 1 3 0| |scarf|eyes smile tousled", // journeyman
  "r 2 1 2 3|long|bare pearls|eyes smile parted kerchief earrings", // market trader
  "joker 2 1 5 2| |sash|eyes beard turban", // traveling merchant
  "plain 1 4 1 4| |apron|stern beard short", // goldsmith
  "v 3 0 4 5|bun|jabot|eyes lips parted loupe", // gem cutter
  "k 0 3 2 4| |lapels|stern moustache tufts monocle tophat", // banker
  "g 3 3 0 3| |lapels chain|eyes glasses pointed tufts loupe", // master jeweller
].map(portrait);
const AUTOMATON: Portrait = { ...(BOTS[0] as Portrait), parts: ["body", "lapels", "automaton"] };

/** Return the portrait on a royal's or noble's card. */
export function portraitOf(id: string): Portrait {
  return PEOPLE[id] ?? AUTOMATON;
}

/** Return the portrait of a bot of level 1 to 8; any other bot is an automaton. */
export function botPortrait(level: number | null): Portrait {
  return (level !== null && level >= 1 && BOTS[level]) || AUTOMATON;
}
