import { isDeepStrictEqual } from "node:util";
import { signingPayload } from "@gatehouse/bundle/verify";
import { expect, test } from "vitest";
import { makeBundle } from "../bundles/sample.ts";
import { Chance, counts } from "./support/chance.ts";
import { count, tried } from "./support/tried.ts";

/**
 * Gitea: fields were joined without a boundary, so that a letter could move from one into the next and the signed text
 * stayed the same. Here the signed bytes are one JSON value, written in one way, and can be read back.
 */
const heading = "gatehouse-plugin-manifest-v1\n";
const base = makeBundle({
  id: "acme-field",
  capabilities: ["http:egress", "kv:read"],
  egress: { hosts: ["a.example.org", "b.example.org"] },
  contributions: {
    nav: [{ component: "a.b", title: "One", path: "/apps/acme-field/one" }],
    enhancements: [{ surface: "fleet.map", component: "a.b" }],
  },
}).manifest as unknown as Record<string, unknown>;

type Fields = Record<string, unknown>;
const letters = ['"', "\\", "\n", ",", ":", "{", "}", "[", "]", " ", "a", "\u0000", "\u2028", "é", "😀", "/", ""];

test("two different sets of fields never have the same signed bytes", (context) => {
  const chance = new Chance("boundaries");
  const rounds = counts["50 pairs"];
  const seen = new Map<string, Fields>();
  let moved = 0;
  for (let round = 0; round < rounds; round += 1) {
    const one = shiftLetters(chance, structuredClone(base));
    const other = shiftLetters(chance, structuredClone(one));
    const isSame = isDeepStrictEqual(withoutSignatures(one), withoutSignatures(other));
    if (!isSame) moved += 1;
    const [left, right] = [payloadOf(one), payloadOf(other)];
    if ((left === right) !== isSame) throw new Error(`${JSON.stringify(one)} and ${JSON.stringify(other)}`);
    const earlier = seen.get(left);
    if (earlier !== undefined && !isDeepStrictEqual(withoutSignatures(earlier), withoutSignatures(one)))
      throw new Error(`${JSON.stringify(one)} and ${JSON.stringify(earlier)}`);
    if (seen.size < 20_000) seen.set(left, one);
  }
  expect(moved).toBeGreaterThan(rounds / 2);
  tried(context, `${count(rounds, "pairs")}, ${count(moved, "different")}, no two with one payload`);
});

test("the signed bytes can be read back to exactly the fields that were signed", (context) => {
  const chance = new Chance("reading back");
  const rounds = counts["50 documents"];
  for (let round = 0; round < rounds; round += 1) {
    const fields = shiftLetters(chance, structuredClone(base));
    const payload = payloadOf(fields);
    expect(payload.startsWith(heading)).toBe(true);
    expect(JSON.parse(payload.slice(heading.length))).toEqual(withoutSignatures(fields));
  }
  tried(context, count(rounds, "payloads read back"));
});

test("fields with a boundary's letters in them stay apart", () => {
  const pairs: readonly (readonly [Fields, Fields])[] = [
    [
      { id: "ab", name: "c" },
      { id: "a", name: "bc" },
    ],
    [{ id: 'a",\n  "name": "b' }, { id: "a", name: "b" }],
    [{ list: ["a", "b"] }, { list: ["a,b"] }],
    [{ list: ["a", "b"] }, { list: ['a",\n    "b'] }],
    [{ list: [] }, { list: {} }],
    [{ list: [[]] }, { list: [] }],
    [{ a: { b: 1 } }, { a: 1, b: 1 }],
    [{ a: "1" }, { a: 1 }],
    [{ a: "null" }, { a: null }],
    [{ a: "true" }, { a: true }],
    [{ a: null }, {}],
    [{ a: "é" }, { a: "e\u0301" }],
    [{ a: "\\u0041" }, { a: "A" }],
    [{ "a:b": 1 }, { a: { b: 1 } }],
    [{ signature: 1 }, { signatures: 1 }],
  ];
  for (const [one, other] of pairs) expect(payloadOf(one), JSON.stringify([one, other])).not.toBe(payloadOf(other));
  // What is not signed is exactly one field, and only at the top.
  expect(payloadOf({ a: 1, signatures: [1] })).toBe(payloadOf({ a: 1 }));
  expect(payloadOf({ a: { signatures: [1] } })).not.toBe(payloadOf({ a: {} }));
});

/** Moves or changes letters in some of the strings: from the end of one to the beginning of another, or new ones. */
function shiftLetters(chance: Chance, fields: Fields): Fields {
  const places = stringsIn(fields);
  for (let changes = chance.below(4); changes > 0; changes -= 1) {
    const [from, to] = [chance.pick(places), chance.pick(places)];
    const letter = chance.below(2) === 0 ? from.get().slice(-1) : chance.pick(letters);
    if (chance.below(2) === 0) from.set(from.get().slice(0, -1));
    to.set(chance.below(2) === 0 ? letter + to.get() : to.get() + letter);
  }
  return fields;
}

interface Place {
  get(): string;
  set(text: string): void;
}

function stringsIn(holder: Fields): Place[] {
  return Object.entries(holder).flatMap(([name, value]) => {
    if (typeof value === "string") {
      return [{ get: () => String(holder[name]), set: (text: string) => void (holder[name] = text.toWellFormed()) }];
    }
    return typeof value === "object" && value !== null ? stringsIn(value as Fields) : [];
  });
}

function payloadOf(fields: Fields): string {
  return Buffer.from(signingPayload(fields)).toString("utf8");
}

function withoutSignatures(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== "signatures"));
}
