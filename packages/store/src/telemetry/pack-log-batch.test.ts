import { expect, test } from "vitest";
import { packLogBatch, unpackLogBatch } from "./pack-log-batch.ts";

test("a batch is the same behind the way to the thread", () => {
  const line = { source: "a", at: 5, level: 0, text: "x", dropped: undefined };
  const rows = [
    line,
    { ...line, source: "b", at: 0, level: undefined, text: "" },
    { ...line, text: "", level: undefined, dropped: { from: 0, lines: 0 } },
    { ...line, text: "", level: undefined, dropped: { from: Number.MAX_SAFE_INTEGER, lines: undefined } },
  ];
  for (const batch of [
    { node: "n", checkpoint: "c", rows },
    { node: "n", checkpoint: "", rows: [] },
  ]) {
    expect(unpackLogBatch(structuredClone(packLogBatch(batch)))).toEqual(batch);
  }
});
