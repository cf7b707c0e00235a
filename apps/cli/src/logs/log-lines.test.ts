import type { HostLogLine } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import { logLines } from "./log-lines.ts";

const line = (more: Partial<HostLogLine>): HostLogLine => ({
  id: "1",
  at: "2026-11-19T17:00:00.118Z",
  node: "node_a",
  source: "nginx.service",
  level: "info",
  text: "GET / 200",
  dropped: null,
  ...more,
});

test("lines stand with the newest last, by the names of their hosts, and what is grave says so", () => {
  const names = new Map([["node_a", "web-1"]]);
  const newestFirst = [
    line({ level: "error", text: "timed out" }),
    line({ node: "node_b", source: "/var/log/app.log", level: null }),
  ];
  expect(logLines(newestFirst, names)).toEqual([
    "2026-11-19T17:00:00.118Z node_b /var/log/app.log GET / 200",
    "2026-11-19T17:00:00.118Z web-1 nginx ERROR timed out",
  ]);
});

test.each([
  [4_120, "4120 lines were left out"],
  [1, "1 line was left out"],
  [null, "lines that nobody counted were left out"],
])("%s lines that a host left out are said in their place", (lines, words) => {
  const dropped = { lines, from: "2026-11-19T16:59:00.000Z" };
  expect(logLines([line({ text: "", dropped })], new Map())[0]).toContain(
    `${words} on the host since 2026-11-19T16:59:00Z`,
  );
});
