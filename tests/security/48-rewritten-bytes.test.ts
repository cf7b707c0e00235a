import { type OpenBundle, serialiseManifest, verifyBundle } from "@gatehouse/bundle/verify";
import { expect, test } from "vitest";
import { inMemory, makeBundle, placeBundle, policyOf } from "../bundles/sample.ts";
import { Chance } from "./support/chance.ts";
import { makePluginPlace, sharedPlugins } from "./support/plugins.ts";
import { count, tried } from "./support/tried.ts";

/**
 * gitsign: the signature was checked over bytes that had been written anew from what was parsed, so other bytes than
 * the signed ones passed. Here a manifest has one byte form, and any other spelling of the same values is refused.
 */
const good = makeBundle({ id: "acme-form", name: "A/b é", version: "1.0.0" });
const text = Buffer.from(good.manifestBytes).toString();
const policy = policyOf();
const value = JSON.parse(text) as Record<string, unknown>;

/** Every spelling means the same to JSON.parse, or is refused by it too. */
const spellings: readonly (readonly [what: string, text: string])[] = [
  ...[undefined, 0, 1, 3, 4, "\t", "    "].map(
    (indent) => [`indent ${JSON.stringify(indent)}`, JSON.stringify(value, null, indent)] as const,
  ),
  ["no line end", text.slice(0, -1)],
  ["two line ends", `${text}\n`],
  ["CRLF", text.replaceAll("\n", "\r\n")],
  ["a space at the end of a line", text.replace(",\n", ", \n")],
  ["a space before a colon", text.replace('":', '" :')],
  ["no space after a colon", text.replace('": ', '":')],
  ["a leading space", ` ${text}`],
  ["a byte order mark", `\ufeff${text}`],
  ["keys in another order", `${JSON.stringify(Object.fromEntries(Object.entries(value).toReversed()), null, 2)}\n`],
  ["1.0", text.replace('"schema": 1', '"schema": 1.0')],
  ["1e0", text.replace('"schema": 1', '"schema": 1e0')],
  ["an escaped slash", text.replace("A/b", "A\\/b")],
  ["an escaped letter", text.replace("é", "\\u00e9")],
  ["an escaped letter in a key", text.replace('"name"', '"n\\u0061me"')],
  ["an upper-case escape", text.replace("é", "\\u00E9")],
  ["a decomposed letter", text.replace("é", "e\u0301")],
  ["a comment", text.replace("{", "{ /* */")],
  ["a key twice", text.replace('"name"', '"name": "x", "name"')],
  ["the same key twice", text.replace('"schema": 1', '"schema": 1,\n  "schema": 1')],
  ["a second document", `${text}{}\n`],
  ["base64 without padding", text.replace(/==(?=")/, "")],
  [
    "base64 for addresses",
    text.replace(
      /("ed25519": ")([^"]+)/,
      (_, key: string, base64: string) => key + base64.replaceAll("+", "-").replaceAll("/", "_").replace("==", ""),
    ),
  ],
];

test("every other spelling of a signed manifest is refused", async (context) => {
  const judge = (bytes: Uint8Array) => verifyBundle({ bundle: asManifest(bytes), policy, now: 0 });
  expect((await judge(good.manifestBytes)).accepted).toBe(true);
  for (const [what, spelt] of spellings) {
    expect(spelt, what).not.toBe(text);
    expect((await judge(Buffer.from(spelt))).accepted, what).toBe(false);
  }
  // Each letter of each string as an escape: JSON.parse sees no difference.
  const escapes = [...text.matchAll(/(?<=")[^"\n]+(?=")/g)].flatMap(({ index, 0: found }) =>
    Array.from({ length: found.length }, (_, at) => index + at),
  );
  for (const at of escapes) {
    const escaped = `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`;
    const spelt = text.slice(0, at) + escaped + text.slice(at + 1);
    expect((await judge(Buffer.from(spelt))).accepted, `an escape at ${at}`).toBe(false);
  }
  // A blank wherever one may stand, and wherever not.
  for (let at = 0; at <= text.length; at += 1) {
    expect((await judge(Buffer.from(`${text.slice(0, at)} ${text.slice(at)}`))).accepted, `a blank at ${at}`).toBe(
      false,
    );
  }
  tried(context, count(spellings.length + escapes.length + text.length + 1, "spellings of one signed manifest"));
});

test("the byte form is one: writing what was read gives the same bytes, in whatever order it was made", (context) => {
  const chance = new Chance("order");
  for (let round = 0; round < 500; round += 1) {
    const shuffled = shuffle(chance, value);
    expect(Buffer.from(serialiseManifest(shuffled as object)).toString()).toBe(text);
  }
  tried(context, "500 orders of the same values");
});

/** The same on a disk, each in a bundle of its own. */
const respell: readonly ((form: string) => string)[] = [
  (form) => JSON.stringify(JSON.parse(form)),
  (form) => `\ufeff${form}`,
  (form) => form.replaceAll("\n", "\r\n"),
  (form) => form.replace("é", "\\u00e9"),
  (form) => form.replace('"schema": 1', '"schema": 1.0'),
  (form) => form.replace('"name"', '"name": "x", "name"'),
];
const place = await makePluginPlace();
for (const [at, spell] of respell.entries()) {
  const own = makeBundle({ id: `acme-form-${at}`, name: "A/b é" });
  const manifestBytes = Buffer.from(spell(Buffer.from(own.manifestBytes).toString()));
  await placeBundle(place.directory, { ...own, manifestBytes });
}
const started = await sharedPlugins(place);

test("the server refuses them at its start, by the form and not by the signature", async (context) => {
  const codes = Object.values(await started.codes());
  expect(codes).toHaveLength(respell.length);
  expect((await started.list()).items).toEqual([]);
  expect(new Set(codes)).toEqual(new Set(["bundle.manifest_not_canonical", "bundle.manifest_malformed"]));
  tried(context, count(codes.length, "respelt bundles at a start"));
});

function asManifest(manifest: Uint8Array): OpenBundle {
  return inMemory({ ...good, manifestBytes: manifest });
}

function shuffle(chance: Chance, part: unknown): unknown {
  if (Array.isArray(part)) return part.map((item) => shuffle(chance, item));
  if (typeof part !== "object" || part === null) return part;
  const entries = Object.entries(part).map(([key, member]) => [key, shuffle(chance, member)] as const);
  return Object.fromEntries(chance.sample(entries, entries.length));
}
