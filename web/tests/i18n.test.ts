import { beforeEach, describe, expect, it } from "vitest";
import { spaceFrench, t, tDynamic, tError, textsOf, type MessageKey } from "../src/i18n";
import { minuteRules, rulesText } from "../src/i18n/rules";
import { settings, type Language } from "../src/lib/storage.svelte";
import type { GameName } from "../src/lib/messages";

const english = textsOf("en").messages;
const others = (["fr", "es"] as Language[]).map((language) => [language, textsOf(language).messages] as const);
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
    expect(t("resignNo")).toBe("Seguir jugando");
  });
});

describe("French spacing", () => {
  const games: GameName[] = ["duel", "duel+counterfeiters", "splendor"];
  const rules = games.flatMap((game) => [
    ...rulesText("fr", game).flatMap(({ title, lines }) => [title, ...lines]),
    ...minuteRules("fr", game),
  ]);
  const messages = Object.values(textsOf("fr").messages).map(spaceFrench);

  it("has a narrow no-break space before : ; ! ? » and %, and after «, in every text", () => {
    expect(rules.length).toBeGreaterThan(40);
    const isWrong = (text: string) => /(?<![\u202f!?])[:;!?»%]|«(?!\u202f)/.test(text);
    expect([...messages, ...rules].filter(isWrong)).toEqual([]);
    expect(["Quel jeu ?", "Quel jeu?", "«Non»"].map(isWrong)).toEqual([true, true, true]);
  });

  it("has no space before , . and …, except for a sentence that goes on", () => {
    expect([...messages, ...rules].filter((text) => /\s[,.]/.test(text))).toEqual([]);
  });

  it("has typographic apostrophes and quotation marks", () => {
    expect([...messages, ...rules].filter((text) => /['"“”]/.test(text))).toEqual([]);
  });

  it("is applied to the texts that are shown", () => {
    settings.language = "fr";
    expect(t("whichGame")).toBe("Quel jeu\u202f?");
    expect(t("inviteName", { text: "x" })).toBe("Votre ami lira\u202f: «\u202fx\u202f»");
  });

  it("is not applied to other languages", () => {
    settings.language = "en";
    expect(t("whichGame")).toBe("Which game?");
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
    const steps = (language: Language) => minuteRules(language, game).length;
    expect(steps("en")).toBeGreaterThan(3);
    expect([steps("fr"), steps("es")]).toEqual([steps("en"), steps("en")]);
  });
});
