/** Which page the address names. */

export type Page =
  | { page: "home" }
  | { page: "table" | "replay"; match: string; key: string }
  | { page: "record" }
  | { page: "rules"; game: string }
  | { page: "settings" }
  | { page: "lost" };

function read(): Page {
  const [first = "", second = ""] = location.pathname.split("/").filter(Boolean);
  const key = location.hash.slice(1);
  if (!first) return { page: "home" };
  if (first === "table" && second) return { page: "table", match: second, key };
  if (first === "replay") return second ? { page: "replay", match: second, key } : { page: "record" };
  if (first === "rules") return { page: "rules", game: second || "duel" };
  if (first === "settings") return { page: "settings" };
  return { page: "lost" };
}

export const route = $state<{ now: Page }>({ now: read() });

export function go(address: string): void {
  history.pushState(null, "", address);
  arrive();
  scrollTo(0, 0);
}

function arrive(): void {
  route.now = read();
}

addEventListener("popstate", arrive);
addEventListener("hashchange", arrive);

/** Let links of this site be followed without loading the page again. */
export function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const link = (event.target as Element).closest?.("a");
  if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (link.pathname === location.pathname && link.hash) return;
  event.preventDefault();
  go(link.pathname + link.hash);
}
