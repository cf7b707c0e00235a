import { expect, test } from "vitest";
import { makeHostDirectory } from "../../test/host-directory.ts";
import { nothingWatched, putWatched, type WatchedPart } from "../safety/watched-parts.ts";
import { describeDrift, driftJson, findDriftStatus } from "./drift-status.ts";

const part = (name: string, state: WatchedPart["state"]): WatchedPart => ({
  subject: `file:/etc/${name}`,
  task: `task_${"0".repeat(26)}`,
  plan: "a".repeat(64),
  confirmedAt: 1,
  seq: 1,
  expected: "b".repeat(64),
  state,
  found: null,
  why: "",
});

test("what is not as confirmed is named, and what nobody could read is counted", async () => {
  const place = makeHostDirectory();
  expect(describeDrift(findDriftStatus(place))).toEqual([]);
  const names = ["a", "b", "c", "d"].map((name) => part(name, "differs"));
  const parts = [...names, part("e", "unread"), part("f", "same")];
  await putWatched(place, { ...nothingWatched, at: 1_800_000_000_000, parts });
  expect(describeDrift(findDriftStatus(place))).toEqual([
    "As confirmed: 1 of 6 parts at 2027-01-15T08:00:00Z; 1 could not be read; others: file:/etc/a, file:/etc/b, file:/etc/c, and 1 more",
  ]);
  expect(driftJson(findDriftStatus(place))).toMatchObject({ watched: 6, parts: { length: 5 } });
});

test("one line says so where all is as confirmed", async () => {
  const place = makeHostDirectory();
  await putWatched(place, { ...nothingWatched, at: 1_800_000_000_000, parts: [part("a", "same")] });
  expect(describeDrift(findDriftStatus(place))).toEqual(["As confirmed: 1 of 1 parts at 2027-01-15T08:00:00Z"]);
});
