import { beforeEach, describe, expect, it } from "vitest";
import { languages, t, tDynamic, tError, type MessageKey } from "../src/i18n";
import { rulesText } from "../src/i18n/rules";
import { settings, type Language } from "../src/lib/storage.svelte";
import type { GameName } from "../src/lib/messages";

const english = languages.en.messages;
const others = (["fr", "es"] as Language[]).map((language) => [language, languages[language].messages] as const);
const placeholders = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();

beforeEach(() => (settings.language = "en"));

describe.each(others)("messages in %s", (_, messages) => {
  it("have the same keys as in English", () => {
    expect(Object.keys(english).length).toBeGreaterThan(250);
    expect(Object.keys(messages).sort()).toEqual(Object.keys(english).sort());
  });

  it("have the same placeholders as in English, in every plural form", () => {
    for (const [key, text] of Object.entries(english)) {
      const forms = [...text.split("|"), ...messages[key as MessageKey].split("|")];
      const expected = forms.map(() => placeholders(text));
      expect(forms.map(placeholders), key).toEqual(expected);
    }
  });

  it("are not empty", () => {
    const isEmpty = (text: string) => text.split("|").some((form) => !form.trim());
    expect(Object.entries(messages).filter(([, text]) => isEmpty(text))).toEqual([]);
  });
});

describe("t", () => {
  it("fills placeholders", () => expect(t("turnOf", { name: "Ann" })).toBe("Ann is to move"));

  it("leaves out what is not given", () => expect(t("turnOf")).toBe(" is to move"));

  it("chooses the plural form by the language's rule", () => {
    expect([0, 1, 2].map((n) => t("count.p", { n }))).toEqual(["0 pearls", "1 pearl", "2 pearls"]);
    settings.language = "fr";
    const [zero, one, two] = [0, 1, 2].map((n) => t("count.p", { n }).replace(/\d+ /, ""));
    expect(zero).toBe(one);
    expect(two).not.toBe(one);
  });

  it("follows the selected language", () => {
    settings.language = "es";
    expect(t("yes")).toBe("Sí");
  });
});

describe("keys that are composed", () => {
  it("are looked up", () => expect(tDynamic("do.take")).toBe("Take"));
  it("are shown as they are if they are unknown", () => expect(tDynamic("do.dance")).toBe("do.dance"));
  it("have a general message for unknown errors", () => {
    expect(tError("turn")).toBe("It is not your turn.");
    expect(tError("new-code")).toBe("That did not work.");
  });
});

describe("the rules", () => {
  it.each(["duel", "duel+counterfeiters", "splendor"] as GameName[])("of %s have the same parts", (game) => {
    const parts = (language: Language) => rulesText(language, game).map(({ lines }) => lines.length);
    expect(parts("en").length).toBeGreaterThan(2);
    expect(parts("fr")).toEqual(parts("en"));
    expect(parts("es")).toEqual(parts("en"));
  });
});
