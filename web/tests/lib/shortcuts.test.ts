import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Client } from "../../src/lib/client.svelte";
import type { Selection } from "../../src/lib/selection.svelte";
import { handleShortcut } from "../../src/lib/shortcuts";
import type { TurnStatus } from "../../src/lib/messages";
import { turn } from "../fixtures";

const selection = { clear: vi.fn(), endTurn: vi.fn(), undo: vi.fn(), takeBack: vi.fn(), togglePrivilege: vi.fn() };
const send = vi.fn();
const showShortcuts = vi.fn();
const onclick = vi.fn();

beforeEach(() => {
  vi.clearAllMocks();
  document.body.innerHTML = `
    <div class="board"><button id="cell" tabindex="0"></button></div>
    <div class="pyramid"><button id="card" class="piece"></button></div>
    <div id="actions"><button id="plain"></button></div>
    <button id="replenish" data-decision="replenish"></button>
    <input />`;
  for (const button of document.querySelectorAll("button")) button.onclick = () => onclick(button.id);
});

function press(key: string, { turn: fields = {}, target = document.body, ...init }: Press = {}): KeyboardEvent {
  const event = new KeyboardEvent("keydown", { key, cancelable: true, ...init });
  Object.defineProperty(event, "target", { value: target });
  const client = { snapshot: { turn: turn(fields) }, send };
  handleShortcut(event, client as unknown as Client, selection as unknown as Selection, showShortcuts);
  return event;
}
type Press = KeyboardEventInit & { turn?: Partial<TurnStatus>; target?: HTMLElement };

describe("keys", () => {
  it("call what they stand for, whatever their case", () => {
    for (const key of ["?", "Escape", "E", "p"]) expect(press(key).defaultPrevented).toBe(true);
    for (const action of [showShortcuts, selection.clear, selection.endTurn, selection.togglePrivilege])
      expect(action).toHaveBeenCalledOnce();
  });

  it("U undoes within the turn, and takes back after it", () => {
    press("u", { turn: { can_undo: true } });
    expect([selection.undo.mock.calls.length, selection.takeBack.mock.calls.length]).toEqual([1, 0]);
    press("u");
    expect([selection.undo.mock.calls.length, selection.takeBack.mock.calls.length]).toEqual([1, 1]);
  });

  it("H asks for a hint where hints are given", () => {
    press("h");
    expect(send).not.toHaveBeenCalled();
    press("h", { turn: { can_hint: true } });
    expect(send).toHaveBeenCalledWith({ type: "hint" });
  });

  it("T presses the main button, or goes to the first one", () => {
    press("t");
    expect(document.activeElement?.id).toBe("plain");
    expect(onclick).not.toHaveBeenCalled();
    document.getElementById("plain")?.classList.add("main");
    press("t");
    expect(onclick).toHaveBeenCalledWith("plain");
  });

  it("R replenishes, B and C go to the board and the cards", () => {
    press("r");
    expect(onclick).toHaveBeenCalledWith("replenish");
    press("b");
    expect(document.activeElement?.id).toBe("cell");
    press("c");
    expect(document.activeElement?.id).toBe("card");
  });
});

describe("no shortcut", () => {
  it("is another key", () => expect(press("x").defaultPrevented).toBe(false));

  it.each(["ctrlKey", "metaKey", "altKey"])("works with %s", (modifier) => {
    expect(press("e", { [modifier]: true }).defaultPrevented).toBe(false);
    expect(selection.endTurn).not.toHaveBeenCalled();
  });

  it("works while typing", () => {
    press("e", { target: document.querySelector("input") as HTMLElement });
    expect(selection.endTurn).not.toHaveBeenCalled();
  });

  it("works behind a dialog", () => {
    document.body.innerHTML += "<dialog open></dialog>";
    press("e");
    expect(selection.endTurn).not.toHaveBeenCalled();
  });
});
