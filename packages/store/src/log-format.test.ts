import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import {
  decodeGroup,
  decodeHeader,
  decodeMark,
  encodeGroup,
  encodeHeader,
  encodeMark,
  genesis,
  hashChanges,
  highestMark,
  linkOf,
  splitEntries,
} from "./log-format.ts";
import { openLogSeal } from "./log-seal.ts";
import { masterKey } from "./master-key.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const entryTexts = ['{"at":1,"actor":"ü"}', '{"at":2,"actor":"b"}'];
const changeTexts = ['[{"key":"a/b","newVersion":1,"value":{}}]', "[]"];
const seal = openLogSeal(masterKey(Buffer.alloc(32, 1)));
const line = (bytes: Uint8Array) => Buffer.from(bytes).subarray(0, -1);

test("a group reads back as what was written", () => {
  const { bytes, head } = encodeGroup(genesis, entryTexts, changeTexts, seal);
  const group = decodeGroup(line(bytes));
  expect(group).toMatchObject({ first: 1, count: 2, link: head.link, seal: seal.of(head.link) });
  expect(head.position).toBe(2);
  expect(group?.entries.toString()).toBe(`[${entryTexts.join(",")}]`);
  expect(group?.changes.toString()).toBe(`[${changeTexts.join(",")}]`);
  expect(splitEntries(group?.entries ?? "", 2)).toEqual(entryTexts);
  expect(JSON.parse(line(bytes).toString())).toMatchObject({ first: 1, count: 2 });
});

test("a group of the format that had no seals reads back without one", () => {
  const { bytes, head } = encodeGroup(genesis, entryTexts, changeTexts);
  expect(decodeGroup(line(bytes))).toMatchObject({ first: 1, count: 2, link: head.link, seal: undefined });
});

test("a seal fits its own link and no other, and is made with its own key only", () => {
  const other = openLogSeal(masterKey(Buffer.alloc(32, 2)));
  const [one, two] = ["ab".repeat(32), "cd".repeat(32)];
  expect([seal.fits(one, seal.of(one)), seal.fits(two, seal.of(one)), seal.fits(one, other.of(one))]).toEqual([
    true,
    false,
    false,
  ]);
});

test("the link can be recomputed with nothing but sha256 over texts", () => {
  const { head } = encodeGroup(genesis, entryTexts, changeTexts, seal);
  const changesHash = sha256(`[${changeTexts.join(",")}]`);
  const group = sha256(`gatehouse-audit-group-v1\n[${entryTexts.join(",")}]\n${changesHash}`);
  expect(head.link).toBe(sha256(`gatehouse-audit-link-v1\n${genesis.link} 1 2 ${group}`));
});

test("the link verifies from public bytes and the hash of the changes alone", () => {
  const { bytes, head } = encodeGroup(genesis, entryTexts, changeTexts, seal);
  const group = decodeGroup(line(bytes));
  if (group === undefined) throw new Error("unreadable");
  expect(linkOf(genesis.link, 1, 2, group.entries, hashChanges(group.changes))).toBe(head.link);
});

test("every flipped bit of a group changes its reading, its link or its seal", () => {
  const { bytes, head } = encodeGroup(genesis, entryTexts, changeTexts, seal);
  for (let bit = 0; bit < (bytes.length - 1) * 8; bit += 1) {
    const flipped = Buffer.from(bytes);
    flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
    const group = decodeGroup(line(flipped));
    if (group === undefined) continue;
    const link = linkOf(genesis.link, group.first, group.count, group.entries, hashChanges(group.changes));
    const isSealed = group.seal !== undefined && seal.fits(link, group.seal);
    expect(isSealed && group.link === link && link === head.link && group.first === 1).toBe(false);
  }
});

test("an entry text that we would not have written is not split", () => {
  expect(splitEntries('[{"a":1} ,{"b":2}]', 2)).toBeUndefined();
  expect(splitEntries('[{"a":1}]', 2)).toBeUndefined();
  expect(splitEntries('{"a":1}', 1)).toBeUndefined();
});

test("header and mark read back, and nothing else reads as one", () => {
  const head = { position: 7, link: "ab".repeat(32) };
  expect(decodeHeader(line(encodeHeader(head)))).toEqual({ format: 2, ...head });
  expect(decodeHeader(Buffer.from('{"format":1,"base":07,"baseLink":""}'))).toBeUndefined();
  expect(decodeMark(line(encodeMark(head)).subarray(1))).toEqual(head);
  expect(decodeMark(Buffer.from('{"synced":0}'))).toBeUndefined();
});

test("a mark is found inside damaged bytes, also when the line feed before it was flipped away", () => {
  const bytes = Buffer.concat([Buffer.from('{"first":7,broken'), encodeMark({ position: 7, link: "cd".repeat(32) })]);
  expect(highestMark(bytes)).toBe(7);
  expect(highestMark(Buffer.from("nothing here\n"))).toBe(0);
});

test("no JSON text can imitate a mark", () => {
  const imitation = JSON.stringify({ text: encodeMark({ position: 9, link: "0".repeat(64) }).toString(), synced: 9 });
  expect(highestMark(Buffer.from(`${imitation}\n`))).toBe(0);
});
