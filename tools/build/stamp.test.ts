import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { makeStamp } from "./stamp.ts";

const input = { root: tmpdir(), version: "0.1.0", now: Date.UTC(2026, 0, 1) };

test("a build of somebody's own is of channel dev, and says when it was made", () => {
  expect(makeStamp(input)).toEqual({ commit: "unknown", builtAt: "2026-01-01T00:00:00.000Z", channel: "dev" });
});

test("the commit comes from git where there is one, and from the option where there is none", () => {
  expect(makeStamp({ ...input, root: import.meta.dirname }).commit).toMatch(/^([0-9a-f]{40}|unknown)$/);
  expect(makeStamp({ ...input, commit: "a".repeat(40) }).commit).toBe("a".repeat(40));
});

test("SOURCE_DATE_EPOCH decides the time, so that the same source gives the same stamp", () => {
  expect(makeStamp({ ...input, sourceDateEpoch: "86400" }).builtAt).toBe("1970-01-02T00:00:00.000Z");
  expect(() => makeStamp({ ...input, sourceDateEpoch: "yesterday" })).toThrow("SOURCE_DATE_EPOCH");
});

test("a channel that does not exist is refused, and stable takes release versions only", () => {
  expect(() => makeStamp({ ...input, channel: "main" })).toThrow("stable, alpha, beta, dev");
  expect(makeStamp({ ...input, channel: "stable" }).channel).toBe("stable");
  expect(() => makeStamp({ ...input, channel: "stable", version: "0.2.0-beta.1" })).toThrow("release version");
});
