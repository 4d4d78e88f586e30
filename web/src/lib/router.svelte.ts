/** Which page the address names. */

export type Page =
  | { page: "home" }
  | { page: "table" | "game"; match: string; key: string }
  | { page: "record" }
  | { page: "rules"; game: string }
  | { page: "settings" }
  | { page: "games" }
  | { page: "analysis" }
  | { page: "notFound" };

/** Return the page for an address; the hash holds the key of a seat. */
export function pageFor(pathname: string, hash: string): Page {
  const [first = "", second = ""] = pathname.split("/").filter(Boolean);
  const key = hash.slice(1);
  if (!first) return { page: "home" };
  if (first === "table" && second) return { page: "table", match: second, key };
  if (first === "game" && second) return { page: "game", match: second, key };
  if (first === "replay") return second ? { page: "game", match: second, key } : { page: "record" };
  if (first === "rules") return { page: "rules", game: second || "duel" };
  if (first === "settings" || first === "games" || first === "analysis") return { page: first };
  return { page: "notFound" };
}

export const route = $state<{ page: Page }>({ page: pageFor(location.pathname, location.hash) });

function update(): void {
  route.page = pageFor(location.pathname, location.hash);
}

addEventListener("popstate", update);
addEventListener("hashchange", update);

export function navigate(address: string): void {
  history.pushState(null, "", address);
  update();
  scrollTo(0, 0);
}

/** Change the address of this page, without a step in the history. */
export function replaceAddress(address: string): void {
  history.replaceState(null, "", address);
  update();
}

/** Click handler: follow links within the site without loading the page again. */
export function followLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const link = (event.target as Element).closest?.("a");
  if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (link.pathname === location.pathname && link.hash) return;
  event.preventDefault();
  navigate(link.pathname + link.search + link.hash);
}
