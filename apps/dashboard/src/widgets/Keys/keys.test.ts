import { expect, test } from "vitest";
import { type KeyPress, readKey } from "./keys.ts";

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isTyping: false,
  ...more,
});

test("g and a letter lead to a page", () => {
  expect(readKey(press("g"), false)).toEqual({ kind: "prefix" });
  expect(readKey(press("p"), true)).toEqual({ kind: "go", key: "p" });
  expect(readKey(press("p"), false)).toEqual({ kind: "none" });
});

test("the palette opens from anywhere, also while somebody types", () => {
  expect(readKey(press("k", { ctrlKey: true, isTyping: true }), false)).toEqual({ kind: "palette" });
  expect(readKey(press("K", { metaKey: true }), false)).toEqual({ kind: "palette" });
});

test("a key that is typed, or belongs to the browser, does nothing", () => {
  for (const key of ["g", "?", "/", "p"]) expect(readKey(press(key, { isTyping: true }), true).kind).toBe("none");
  expect(readKey(press("p", { ctrlKey: true }), true).kind).toBe("none");
  expect(readKey(press("Escape"), true).kind).toBe("none");
});
