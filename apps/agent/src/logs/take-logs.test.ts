import { readControlFrame, writeControlFrame } from "@gatehouse/channel";
import { hostLogLimits } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { takeLogs } from "./take-logs.ts";

test("however many lines were left out, the server can read how many", () => {
  const around = { now: () => 9, monotonic: () => 9, random: () => 0, isCrowded: () => false };
  const run = {
    linesPerSecond: 200,
    behindSeconds: 300,
    places: new Map(),
    kept: null,
    seq: 0,
    turn: 0,
    budget: { lines: 400, at: 0 },
    behind: new Map(),
    pausedUntil: 0,
    tries: 0,
    now: { t: "resting" } as const,
  };
  const sources = ["/var/log/web.log"];
  const question = { sources, cursors: [null], lines: 1, skip: true };
  const lost = [Number.MAX_SAFE_INTEGER, 7, null].map((lines) => ({ s: 0, lines, from: 1, to: 2 }));
  const answer = { lines: [], cursors: ["f1:9"], more: [], lost, refused: [] };
  const { frame } = takeLogs(around, run, { sources, question, answer });
  const read = frame === undefined ? undefined : readControlFrame(writeControlFrame(frame), "agent");
  expect(read).toMatchObject({ dropped: [{ lines: hostLogLimits.droppedLines }, { lines: 7 }, { lines: null }] });
});
