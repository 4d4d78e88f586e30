import { beforeEach, describe, expect, it, vi } from "vitest";
import { followLink, navigate, pageFor, replaceAddress, route } from "../../src/lib/router.svelte";

describe("pageFor", () => {
  it.each([
    ["/", "", { page: "home" }],
    ["/table/abc", "#key", { page: "table", match: "abc", key: "key" }],
    ["/table/abc", "#one+two", { page: "table", match: "abc", key: "one+two" }],
    ["/table", "", { page: "notFound" }],
    ["/game/abc", "", { page: "game", match: "abc", key: "" }],
    ["/replay/abc", "#key", { page: "game", match: "abc", key: "key" }],
    ["/replay", "", { page: "record" }],
    ["/rules", "", { page: "rules", game: "duel" }],
    ["/rules/duel+counterfeiters", "", { page: "rules", game: "duel+counterfeiters" }],
    ["/settings/", "", { page: "settings" }],
    ["/games", "", { page: "games" }],
    ["/elsewhere", "", { page: "notFound" }],
  ])("%s%s", (pathname, hash, page) => {
    expect(pageFor(pathname, hash)).toEqual(page);
  });
});

describe("navigation", () => {
  beforeEach(() => navigate("/"));

  it("changes the address and the page, and scrolls to the top", () => {
    const scroll = vi.spyOn(window, "scrollTo");
    navigate("/table/abc#key");
    expect(location.pathname + location.hash).toBe("/table/abc#key");
    expect(route.page).toEqual({ page: "table", match: "abc", key: "key" });
    expect(scroll).toHaveBeenCalledWith(0, 0);
  });

  it("can replace the address without a step in the history", () => {
    const steps = history.length;
    replaceAddress("/table/abc#new");
    expect(history.length).toBe(steps);
    expect(route.page).toEqual({ page: "table", match: "abc", key: "new" });
  });

  it("follows the browser's back button", () => {
    history.replaceState(null, "", "/settings");
    dispatchEvent(new Event("popstate"));
    expect(route.page).toEqual({ page: "settings" });
  });
});

describe("followLink", () => {
  beforeEach(() => navigate("/"));

  /** Return whether `followLink` handles a click on the `<b>` of a page. */
  function click(html: string, init: MouseEventInit = {}): boolean {
    document.body.innerHTML = html;
    const event = new MouseEvent("click", { cancelable: true, ...init });
    Object.defineProperty(event, "target", { value: document.querySelector("b") });
    followLink(event); // not dispatched: that would load the page
    return event.defaultPrevented;
  }

  it("shows a page of the site without loading it", () => {
    expect(click(`<a href="/rules/duel"><b>Rules</b></a>`)).toBe(true);
    expect(route.page).toEqual({ page: "rules", game: "duel" });
  });

  it.each([
    ["another site", `<a href="https://elsewhere.test/rules"><b>x</b></a>`, {}],
    ["a download", `<a href="/rules" download><b>x</b></a>`, {}],
    ["a new tab", `<a href="/rules" target="_blank"><b>x</b></a>`, {}],
    ["Ctrl+click", `<a href="/rules"><b>x</b></a>`, { ctrlKey: true }],
    ["the middle button", `<a href="/rules"><b>x</b></a>`, { button: 1 }],
    ["an anchor of the same page", `<a href="/#part"><b>x</b></a>`, {}],
    ["no link", `<b>x</b>`, {}],
  ])("leaves %s to the browser", (_, html, init) => {
    expect(click(html, init)).toBe(false);
    expect(route.page).toEqual({ page: "home" });
  });
});
