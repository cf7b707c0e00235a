import { expect, test } from "vitest";
import { isNamedLater, newestNames, readEarlierName } from "./earlier-log-names.ts";

test.each([
  ["web.log.1", { kind: "behind", isPacked: false }],
  ["web.log.2.gz", { kind: "behind", isPacked: true }],
  ["web.log-20260101", { kind: "behind", isPacked: false }],
  ["web.log.2026-01-01_12.zst", { kind: "behind", isPacked: true }],
  ["web-20260101.log", { kind: "within", isPacked: false }],
  ["web-20260101.log.gz", { kind: "within", isPacked: true }],
  ["web.2026-01-01T12.log", { kind: "within", isPacked: false }],
  ["web.log.old", { kind: "aside", isPacked: false }],
  ["web.log.bak.xz", { kind: "aside", isPacked: true }],
  ["web.log", undefined],
  ["web.log.gz", undefined],
  ["web.log-secret", undefined],
  ["web.log.1.secret", undefined],
  ["web-2.log", undefined],
  ["web-20260101.log.secret", undefined],
  ["web-secret-20260101.log", undefined],
  ["other-20260101.log", undefined],
  ["we.log", undefined],
])("of web.log %s says %j", (name, read) => {
  expect(readEarlierName("web.log", name)).toEqual(read);
});

test("a log without an extension, or of nothing but one, has no names with a date within", () => {
  expect(readEarlierName("syslog", "syslog-20260101")?.kind).toBe("behind");
  expect(readEarlierName("syslog", "sys-20260101log")).toBeUndefined();
  expect(readEarlierName(".log", "-20260101.log")).toBeUndefined();
});

test("of more names than are looked at those with the lowest numbers and the latest dates are left", () => {
  const numbers = Array.from({ length: 300 }, (_, n) => `web.log.${n + 1}`);
  const dates = Array.from({ length: 300 }, (_, n) => `web.log-${20_260_000 + n}`);
  expect(newestNames(numbers, 4)).toEqual(numbers.slice(0, 4));
  expect(newestNames(dates, 4)).toEqual(dates.slice(-4).toReversed());
  expect(newestNames([...numbers, ...dates], 4)).toEqual([...numbers.slice(0, 2), ...dates.slice(-2).toReversed()]);
  expect(newestNames(["web.log.1", ...dates], 4)).toHaveLength(4);
  expect(newestNames([], 4)).toEqual([]);
});

test.each([
  ["web.log.1", "web.log.2", true],
  ["web.log.2", "web.log.1", false],
  ["web.log.1.gz", "web.log.1", false],
  ["web.log.9", "web.log.10.gz", true],
  ["web.log-20260102", "web.log-20260101", true],
  ["web.log-20260101", "web.log-20260102.gz", false],
  ["web.log-20260101", "web.log.1", true],
])("that %s was named after %s is %j", (name, before, isLater) => {
  expect(isNamedLater(name, before)).toBe(isLater);
});
