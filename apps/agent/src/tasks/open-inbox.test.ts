import { expect, test } from "vitest";
import { partOf } from "../../test/fake-judge.ts";
import { manualTimers } from "../../test/manual-timers.ts";
import { openInbox, standstillMs } from "./open-inbox.ts";

const [one, two] = [Uint8Array.of(1, 2, 3, 4), Uint8Array.of(5, 6)];
const [partOne, partTwo] = [partOf(one), partOf(two)];
const pieceOf = (bytes: Uint8Array, from = 0, to = bytes.byteLength) => {
  return { sha256: partOf(bytes).sha256, offset: from, bytes: bytes.subarray(from, to) };
};

function open(most = 100) {
  const timers = manualTimers();
  return { timers, inbox: openInbox({ timers, most }) };
}

test("parts come in pieces, and what has not come whole is missing", () => {
  const { inbox } = open();
  expect(inbox.expect([partOne, partTwo])).toEqual([partOne, partTwo]);
  inbox.put(pieceOf(one, 0, 3));
  expect(() => inbox.get(partOne)).toThrow(/^artifact\.missing/);
  inbox.put(pieceOf(one, 3));
  inbox.put(pieceOf(two, 0, 1));
  expect(inbox.get(partOne)).toEqual(one);
  expect(inbox.expect([partOne, partTwo]), "begun is not come").toEqual([partTwo]);
  inbox.put(pieceOf(two));
  expect(inbox.expect([partOne, partTwo])).toEqual([]);
  expect(inbox.get(partTwo)).toEqual(two);
});

test("a part that is named twice is wanted once", () => {
  const { inbox } = open();
  expect(inbox.expect([partOne, partOne])).toEqual([partOne]);
});

test("bytes that no change names are refused: before one is submitted, of the one before, and after the end", () => {
  const { inbox } = open();
  expect(() => inbox.put(pieceOf(one))).toThrow(/^blob\.not_wanted/);
  inbox.expect([partOne]);
  inbox.put(pieceOf(one));
  expect(inbox.expect([partTwo])).toEqual([partTwo]);
  expect(() => inbox.put(pieceOf(one))).toThrow(/^blob\.not_wanted/);
  expect(() => inbox.get(partOne)).toThrow(/^artifact\.missing/);
  inbox.clear();
  expect(() => inbox.put(pieceOf(two))).toThrow(/^blob\.not_wanted/);
});

test.each([
  ["a gap", pieceOf(one, 3)],
  ["an overlap", pieceOf(one, 1)],
  ["the same piece again", pieceOf(one, 0, 2)],
  ["a byte beyond the size", { ...pieceOf(one, 2), bytes: new Uint8Array(3) }],
])("%s is refused, and what has come stays", (_, wrong) => {
  const { inbox } = open();
  inbox.expect([partOne]);
  inbox.put(pieceOf(one, 0, 2));
  expect(() => inbox.put(wrong)).toThrow(/^blob\.size: expected bytes from 2 up to 4/);
  inbox.put(pieceOf(one, 2));
  expect(() => inbox.put({ ...pieceOf(one, 4), bytes: Uint8Array.of(1) })).toThrow(/^blob\.size/);
  expect(inbox.get(partOne)).toEqual(one);
});

test("bytes with another digest are dropped, and the part can come again", () => {
  const { inbox } = open();
  inbox.expect([partOne]);
  inbox.put({ ...pieceOf(one), bytes: Uint8Array.of(1, 2) });
  expect(() => inbox.put({ ...pieceOf(one, 2), bytes: Uint8Array.of(3, 5) })).toThrow(/^blob\.digest: expected /);
  expect(inbox.expect([partOne])).toEqual([partOne]);
  inbox.put(pieceOf(one));
  expect(inbox.get(partOne)).toEqual(one);
});

test("more than the host holds is refused before a byte is taken; the limit itself is taken", () => {
  expect(() => open(5).inbox.expect([partOne, partTwo])).toThrow(
    /^blob\.quota: expected at most 5 bytes in all, found 6/,
  );
  expect(open(6).inbox.expect([partOne, partTwo, partTwo])).toHaveLength(2);
});

test("what stands still for ten minutes is forgotten, counted from the last piece", () => {
  const { inbox, timers } = open();
  inbox.expect([partOne]);
  inbox.put(pieceOf(one, 0, 1));
  expect(timers.running()).toEqual([standstillMs]);
  expect(timers.end(standstillMs)).toBe(1);
  expect(() => inbox.put(pieceOf(one, 1))).toThrow(/^blob\.not_wanted/);
  inbox.expect([partOne]);
  inbox.clear();
  expect(timers.running()).toEqual([]);
});

test("a change whose other pieces come does not stand still, and one that is over is not waited for", () => {
  const { inbox, timers } = open();
  inbox.expect([partOne]);
  timers.end(standstillMs);
  inbox.moves();
  expect(timers.running()).toEqual([]);
  inbox.expect([partOne]);
  inbox.moves();
  expect(timers.running()).toEqual([standstillMs]);
});
