import { hostLogLimits } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { readLogCheckpoint, writeLogCheckpoint } from "./log-checkpoint.ts";

test("what is written is read again, for the sources that are followed and no others", () => {
  const places = new Map([
    ["a.service", "j1:x"],
    ["/var/log/x", "f1:y"],
    ["gone.service", "j1:z"],
  ]);
  const placeOf = readLogCheckpoint(writeLogCheckpoint(["/var/log/x", "a.service", "new.service"], places));
  expect(["a.service", "/var/log/x", "gone.service", "new.service"].map(placeOf)).toEqual([
    "j1:x",
    "f1:y",
    undefined,
    undefined,
  ]);
  expect(readLogCheckpoint(null)("a.service")).toBeUndefined();
});

test("as many sources as there can be, with names and places as long as they get, have room", () => {
  const sources = Array.from(
    { length: hostLogLimits.sources },
    (_, n) => `/${String(n).repeat(hostLogLimits.sourceChars / 2)}`,
  );
  const longest = `j1:s=${"f".repeat(32)};i=${"f".repeat(16)};b=${"f".repeat(32)};m=${"f".repeat(16)};t=${"f".repeat(16)};x=${"f".repeat(16)}`;
  const text = writeLogCheckpoint(sources, new Map(sources.map((source) => [source, longest])));
  expect(text.length).toBeLessThanOrEqual(hostLogLimits.checkpointChars);
  expect(sources.map(readLogCheckpoint(text))).toEqual(sources.map(() => longest));
});
