import { newPrivateKey } from "@gatehouse/keys";
import { expect, test } from "vitest";
import { digestOf, lineServer, type MadeHead, makeLine, rowsOf, signHeadOf } from "../../test/head-line.ts";
import { judgeHead, type OfferedHead } from "./judge-head.ts";
import { type KeptWitness, newKeptWitness, witnessKeeping } from "./kept-witness.ts";

const now = Date.UTC(2026, 0, 2);
const holding = (head: MadeHead | undefined): KeptWitness => ({
  ...newKeptWitness(lineServer),
  held: head?.text ?? null,
});
const judge = (kept: KeptWitness, head: MadeHead, proof?: OfferedHead["proof"]) =>
  judgeHead(kept, lineServer, { signed: head.signed, proof }, now);
const line = makeLine(20);
const at = (n: number) => line[n - 1] as MadeHead;
const codeOf = (kept: KeptWitness, head: MadeHead, proof?: OfferedHead["proof"]) => {
  const verdict = judge(kept, head, proof);
  return verdict.t === "refused" ? verdict.code : verdict.t;
};

test("the first head is taken on trust, the next when it goes on from it, and the same one again changes nothing", () => {
  const first = judge(holding(undefined), at(7));
  expect(first).toMatchObject({ t: "taken", kept: { held: at(7).text } });
  expect(judge(holding(at(7)), at(8))).toMatchObject({ t: "taken", kept: { held: at(8).text, trouble: null } });
  expect(judge(holding(at(7)), at(7))).toEqual({ t: "same" });
});

test("heads that were missed are asked for, and taken when every row leads to the one that is signed", () => {
  const kept = holding(at(3));
  expect(judge(kept, at(9))).toEqual({ t: "missing", from: 4 });
  expect(codeOf(kept, at(9), { from: 4, rows: rowsOf(line.slice(3, 9)) })).toBe("taken");
  expect(judge(kept, at(9), { from: 5, rows: rowsOf(line.slice(4, 9)) })).toEqual({ t: "missing", from: 4 });
});

const other = makeLine(20, { salt: 2 });
const rows = rowsOf(line.slice(3, 9));
test.each([
  ["an older head", "witness.regressed", at(2), undefined],
  ["an older position under a newer number", "witness.regressed", makeLine(1, { first: 5, step: 1 })[0], undefined],
  ["another head with the same number", "witness.fork", other[2], undefined],
  ["the next number that goes on from another head", "witness.fork", other[3], undefined],
  ["the next number that goes on from nothing", "witness.fork", makeLine(1, { first: 4 })[0], undefined],
  ["a position that has not grown", "witness.fork", signHeadOf({ ...at(4), position: at(3).position }), undefined],
  ["rows of another line", "witness.fork", other[8], { from: 4, rows: rowsOf(other.slice(3, 9)) }],
  ["rows with one left out", "witness.fork", at(9), { from: 4, rows: rows.toSpliced(2, 1) }],
  ["rows with one changed", "witness.fork", at(9), { from: 4, rows: rows.with(2, { ...rows[2], at: 1 } as never) }],
  ["rows out of their order", "witness.fork", at(9), { from: 4, rows: rows.toReversed() }],
  ["no row where some are missing", "witness.gap", at(9), { from: 4, rows: [] }],
] as const)("%s is refused as %s, and both heads are kept", (_, code, head, proof) => {
  const shown = head as MadeHead;
  const verdict = judge(holding(at(3)), shown, proof);
  expect(verdict).toMatchObject({
    t: "refused",
    code,
    kept: {
      held: at(3).text,
      trouble: { code, since: now, told: shown.text },
      conflicts: [{ code, held: at(3).text, told: shown.text }],
    },
  });
});

test("what the server did not sign is refused by name, and nothing of it is kept", () => {
  const [forged] = makeLine(1, { first: 4, prev: digestOf(at(3)), key: newPrivateKey() });
  const verdict = judge(holding(at(3)), forged as MadeHead);
  expect(verdict).toMatchObject({
    t: "refused",
    code: "witness.signature",
    kept: { trouble: { told: null }, conflicts: [] },
  });
  expect(judgeHead(holding(at(3)), lineServer, { signed: at(4).signed.subarray(1) }, now)).toMatchObject({
    code: "witness.signature",
  });
  expect(JSON.stringify(verdict)).not.toContain(forged?.text);
});

const refused = (kept: KeptWitness, head: MadeHead) => {
  const verdict = judge(kept, head);
  if (verdict.t !== "refused") throw new Error(verdict.t);
  return verdict.kept;
};

test("a line that goes on ends what may have been a replay, and never the proof of two lines", () => {
  const replayed = refused(holding(at(3)), at(2));
  expect(judge(replayed, at(4))).toMatchObject({ t: "taken", kept: { trouble: null, conflicts: [{}] } });
  const forked = refused(holding(at(3)), other[2] as MadeHead);
  expect(judge(forked, at(4))).toMatchObject({
    t: "taken",
    kept: { held: at(4).text, trouble: { code: "witness.fork", resumed: true } },
  });
  expect(refused(forked, at(2)).trouble, "what weighs more stays").toMatchObject({
    code: "witness.fork",
    told: at(2).text,
  });
});

test("a server that shows one false head after the other fills nothing: the first and the newest pairs are kept", () => {
  let kept = holding(at(3));
  const shown: MadeHead[] = [];
  for (let salt = 10; salt < 60; salt += 1) {
    const [head] = makeLine(1, { first: 3, salt });
    shown.push(head as MadeHead);
    kept = refused(kept, head as MadeHead);
    kept = refused(kept, head as MadeHead);
  }
  const { conflicts: most } = witnessKeeping;
  const told = kept.conflicts.map((one) => one.told);
  expect(told).toEqual([...shown.slice(0, most / 2), ...shown.slice(-most / 2)].map(({ text }) => text));
});
