import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { nodeWords } from "./node-words.ts";

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash("sha256").update(bytes).digest());

test("a node has four words that never change", () => {
  expect(nodeWords(sha256, "node_zjq786fqc9hjs4qb1wefsk24q0")).toEqual(["exit", "grid", "moth", "fern"]);
});

test("each byte of the digest has a word of its own", () => {
  const words = Array.from({ length: 256 }, (_, byte) => nodeWords(() => new Uint8Array(32).fill(byte), "node_x")[0]);
  expect(new Set(words).size).toBe(256);
  for (const word of words) expect(word).toMatch(/^[a-z]{4}$/);
});
