import { expect, test } from "vitest";
import { type FollowedStep, followLines, mostFollowed, nothingFollowed } from "./followed-lines.ts";
import { sampleLines } from "./sample-line.ts";

const after = (...steps: readonly FollowedStep[]) => steps.reduce(followLines, nothingFollowed);
const began = { kind: "began", items: sampleLines(3, 3) } as const;
const keysOf = (rows: readonly { readonly key: string }[]) => rows.map(({ key }) => key);

test("what comes stands on top of what is there", () => {
  const state = after(began, { kind: "came", items: sampleLines(5, 2) });
  expect(keysOf(state.rows)).toEqual(["5", "4", "3", "2", "1"]);
  expect(state).toMatchObject({ hasBegun: true, newest: "5", waitingCount: 0, hasGone: false });
});

test("an answer that comes twice, or brings nothing, changes nothing", () => {
  const once = after(began, { kind: "came", items: sampleLines(5, 2) });
  expect(followLines(once, { kind: "came", items: sampleLines(5, 2) })).toBe(once);
  expect(followLines(once, { kind: "came", items: [] })).toBe(once);
});

test("while the page stands still what comes waits and is counted, until somebody wants it", () => {
  const still = after(began, { kind: "stand", why: "scrolled" }, { kind: "came", items: sampleLines(5, 2) });
  expect(keysOf(still.rows)).toEqual(["3", "2", "1"]);
  expect(still).toMatchObject({ standing: "scrolled", waitingCount: 2, newest: "5" });
  const shown = followLines(still, { kind: "show" });
  expect(keysOf(shown.rows)).toEqual(["5", "4", "3", "2", "1"]);
  expect(shown).toMatchObject({ standing: undefined, waiting: [], waitingCount: 0 });
});

test("the first reason to stand still is the one that is said", () => {
  expect(after(began, { kind: "stand", why: "chose" }, { kind: "stand", why: "scrolled" }).standing).toBe("chose");
});

test("the page holds no more than it can, and says that older ones have gone", () => {
  const full = after(began, { kind: "came", items: sampleLines(mostFollowed + 3, mostFollowed) });
  expect(full.rows).toHaveLength(mostFollowed);
  expect(full.hasGone).toBe(true);
});

test("what waits is held within the same bound, and counted beyond it", () => {
  const state = after(
    began,
    { kind: "stand", why: "scrolled" },
    { kind: "came", items: sampleLines(1_503, 1_500) },
    { kind: "came", items: sampleLines(3_003, 1_500) },
  );
  expect(state.waiting).toHaveLength(mostFollowed);
  expect(state.waitingCount).toBe(3_000);
  const shown = followLines(state, { kind: "show" });
  expect(shown.rows[0]?.key).toBe("3003");
  expect(shown).toMatchObject({ hasGone: true, waitingCount: 0 });
  expect(shown.rows).toHaveLength(mostFollowed);
});

test("where more came than was taken, a row says between which times", () => {
  const state = after(began, { kind: "skipped", items: sampleLines(900, 2) });
  expect(keysOf(state.rows)).toEqual(["900", "899", "skipped-3", "3", "2", "1"]);
  expect(state.rows[2]).toMatchObject({ from: sampleLines(3, 1)[0]?.at, to: sampleLines(899, 1)[0]?.at });
  expect(state.skips).toBe(1);
});

test("a beginning without lines takes whatever comes", () => {
  const state = after({ kind: "began", items: [] }, { kind: "came", items: sampleLines(1, 1) });
  expect(keysOf(state.rows)).toEqual(["1"]);
});
