/** Rules for the sources themselves that no linter checks. */

import { describe, expect, it } from "vitest";
import { en } from "../src/i18n/en";

const files = import.meta.glob<string>(["../src/**/*.{ts,svelte,css}", "./**/*.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
});
const sources = Object.entries(files).filter(([path]) => path.startsWith("../src/"));
const theme = files["../src/theme.css"] ?? "";
const withoutTheme = sources.filter(([path]) => !path.endsWith("/theme.css"));

/** Return `path:line: match` for every match of a pattern. */
function find(pattern: RegExp, among: [string, string][]): string[] {
  return among.flatMap(([path, text]) =>
    text.split("\n").flatMap((line, i) => [...line.matchAll(pattern)].map(([match]) => `${path}:${i + 1}: ${match}`)),
  );
}

it("there are sources", () => expect(sources.length).toBeGreaterThan(60));

it("no line is longer than 120 characters", () => {
  expect(find(/^.{121,}$/g, Object.entries(files))).toEqual([]);
});

describe("colors", () => {
  const hex = /(?<!url\(|href=")#(?:[\da-f]{8}|[\da-f]{6}|[\da-f]{3,4})\b/gi;
  const functions = /\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\(/g;
  const attributes = /\b(?:fill|stroke|stop-color)="(?!none"|url\(|var\(|currentColor")[^"{]+"/g;
  const named = /\b(?:color|background|border|fill|stroke):[^;]*(?<!-)\b(?:white|black|red|green|blue|gr[ae]y)\b/g;

  it.each([hex, functions, attributes, named])("are in theme.css only: %s", (pattern) => {
    expect(find(pattern, withoutTheme)).toEqual([]);
  });

  it("are found by these patterns", () => {
    const example: [string, string][] = [["x", `<a href="#fff" fill="red" style="color: white">#0af9 rgb(0 0 0)</a>`]];
    expect([hex, functions, attributes, named].map((pattern) => find(pattern, example).length)).toEqual([1, 1, 1, 1]);
  });
});

describe("CSS variables", () => {
  const defined = new Set(sources.flatMap(([, text]) => [...text.matchAll(/(--[\w-]+)[:=]/g)].map(([, name]) => name)));
  const used = sources.flatMap(([, text]) => [...text.matchAll(/var\((--[\w-]*)/g)].map(([, name]) => name ?? ""));
  const isPrefix = (name: string) => name.endsWith("-"); // as in var(--kind-${kind})

  it("are defined", () => {
    const names = [...defined].map(String);
    const isKnown = (name: string) => (isPrefix(name) ? names.some((one) => one.startsWith(name)) : defined.has(name));
    expect(used.filter((name) => !isKnown(name))).toEqual([]);
  });

  it("of the theme are used", () => {
    const names = [...theme.matchAll(/(--[\w-]+):/g)].map(([, name]) => name ?? "");
    const isUsed = (name: string) => used.some((one) => (isPrefix(one) ? name.startsWith(one) : name === one));
    expect(names.length).toBeGreaterThan(100);
    expect(names.filter((name) => !isUsed(name))).toEqual([]);
  });
});

it("every message is used", () => {
  const code = withoutTheme.filter(([path]) => !/i18n\/(site\.)?(en|fr|es)\.ts$/.test(path)).map(([, text]) => text);
  const text = code.join("\n");
  const families = new Set([...text.matchAll(/`(\w+)\.\$\{/g)].map(([, family]) => family)); // such as `why.${code}`
  const single = Object.keys(en).filter((key) => !families.has(key.split(".")[0]));
  expect(single.filter((key) => !['"', "'", "`"].some((quote) => text.includes(quote + key + quote)))).toEqual([]);
});
