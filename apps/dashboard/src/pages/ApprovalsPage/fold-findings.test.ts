import { expect, test } from "vitest";
import { foldFindings } from "./fold-findings.ts";

const finding = (severity: "refuse" | "warn" | "note", says: string) =>
  ({ severity, code: `lint.${severity}`, says, operation: 0, packet: null }) as const;

test("a finding of many hosts is one line, and what weighs most stands first", () => {
  const [note, warn] = [finding("note", "Nothing is counted."), finding("warn", "SSH is closed to most.")];
  const folded = foldFindings([
    { name: "web-1", findings: [note, warn] },
    { name: "web-2", findings: [warn] },
  ]);
  expect(folded.map(({ state, says, hosts }) => [state, says, hosts])).toEqual([
    ["warn", "SSH is closed to most.", "on 2 hosts"],
    ["idle", "Nothing is counted.", "web-1"],
  ]);
});

test("a host on which two operations are found alike is one host", () => {
  const warn = finding("warn", "SSH is closed to most.");
  expect(foldFindings([{ name: "web-1", findings: [warn, { ...warn, operation: 1 }] }])).toHaveLength(1);
  expect(foldFindings([{ name: "web-1", findings: [warn, { ...warn, operation: 1 }] }])[0]?.hosts).toBe("web-1");
  expect(foldFindings([])).toEqual([]);
});
