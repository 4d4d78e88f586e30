/** The printed cards, read from the files of the games. */

const files = import.meta.glob<string>("../../../src/parure/games/*/*.csv", {
  query: "?raw",
  import: "default",
  eager: true,
});

export type Row = Record<string, string>;

/** Return the rows of a file such as "jewels" by column. */
export function rows(name: string): Row[] {
  const [, text = ""] = Object.entries(files).find(([path]) => path.endsWith(`/${name}.csv`)) ?? [];
  const [header = [], ...lines] = text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(","));
  return lines.map((line) => Object.fromEntries(header.map((column, i) => [column, line[i] ?? ""])));
}
