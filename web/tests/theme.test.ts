/** Texts and their backgrounds have the contrast of WCAG AA in both themes. */

import { describe, expect, it } from "vitest";
import theme from "../src/theme.css?raw";

type Colors = Record<string, string>;

/** Return the variables of all blocks with a selector. */
function variables(selector: string): Colors {
  const escaped = selector.replace(/[[\]"=-]/g, "\\$&");
  const blocks = [...theme.matchAll(new RegExp(`(?:^|\\n)${escaped} \\{([^}]*)\\}`, "g"))];
  const lines = blocks.flatMap(([, block = ""]) => [...block.matchAll(/(--[\w-]+): ([^;]+);/g)]);
  return Object.fromEntries(lines.map(([, name = "", value = ""]) => [name, value]));
}

const dark = variables(":root");
const light = { ...dark, ...variables(':root[data-theme="light"]') };

function resolve(colors: Colors, name: string): string {
  const value = colors[name] ?? "";
  const [, other] = /^var\((--[\w-]+)\)$/.exec(value) ?? [];
  return other ? resolve(colors, other) : value;
}

/** Return the relative luminance of `#rrggbb`. */
function luminance(color: string): number {
  expect(color).toMatch(/^#[\da-f]{6}$/);
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((i) => parseInt(color.slice(i, i + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(colors: Colors, one: string, other: string): number {
  const [high = 0, low = 0] = [one, other].map((name) => luminance(resolve(colors, name))).sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

const backgrounds = ["--background", "--background-light", "--panel", "--inset"];
const texts = ["--text", "--text-muted", "--warning", "--error", "--highlight"];
const pairs = [
  ...texts.flatMap((text) => backgrounds.map((background) => [text, background] as const)),
  ["--accent-text", "--accent"],
  ["--highlight-text", "--highlight"],
  ["--board-highlight-text", "--board-highlight"],
  ["--board-text", "--board-wood"],
  ["--print", "--ivory"],
  ["--print", "--chip-w"],
  ["--print", "--chip-p"],
  ["--print", "--chip-y"],
] as const;

describe.each([
  ["dark", dark],
  ["light", light],
])("in the %s theme", (_, colors) => {
  it.each(pairs)("%s on %s", (text, background) => {
    expect(contrast(colors, text, background)).toBeGreaterThanOrEqual(4.5);
  });
});

it.each(["u", "g", "r", "k", "v"])("the white number on the chip of %s", (kind) => {
  expect(luminance(resolve(dark, `--chip-${kind}`))).toBeLessThanOrEqual(1.05 / 4.5 - 0.05);
});

it.each(["w", "u", "g", "r", "k", "v", "joker", "plain"])("print on the bands of the palette %s", (tone) => {
  const colors = { ...dark, ...variables(`.tone-${tone}`) };
  expect(contrast(colors, "--print", "--t0")).toBeGreaterThanOrEqual(7);
});
