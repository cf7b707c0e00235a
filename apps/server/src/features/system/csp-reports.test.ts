import { expect, test } from "vitest";
import { openCspReports } from "./csp-reports.ts";

const old = (blocked: unknown, page = "https://gate.example.com/login?token=canary#x") => ({
  "csp-report": { "document-uri": page, "blocked-uri": blocked, "violated-directive": "img-src" },
});

test("both forms that browsers send are understood", () => {
  const reports = openCspReports();
  reports.add(old("https://evil.example/a.png?q=canary"), 1);
  reports.add(
    [
      {
        type: "csp-violation",
        body: { effectiveDirective: "script-src-elem", blockedURL: "eval", documentURL: "https://gate.example.com/" },
      },
      { type: "deprecation", body: {} },
    ],
    2,
  );
  expect(reports.total()).toBe(2);
  expect(reports.recent()).toEqual([
    { directive: "script-src-elem", blocked: "eval", page: "https://gate.example.com/", count: 1, lastAt: 2 },
    {
      directive: "img-src",
      blocked: "https://evil.example/a.png",
      page: "https://gate.example.com/login",
      count: 1,
      lastAt: 1,
    },
  ]);
});

test("what follows the path of an address is not kept, nor is an address of another scheme", () => {
  const reports = openCspReports();
  for (const blocked of [
    "https://a.example/?canary",
    "data:text/html,canary",
    "CANARY text",
    5,
    "x".repeat(5_000),
    undefined,
  ]) {
    reports.add(old(blocked), 1);
  }
  expect(JSON.stringify(reports.recent()).toLowerCase()).not.toContain("canary");
  expect(reports.recent().map(({ blocked }) => blocked)).toContain("data:");
});

test("equal reports are counted and only the last twenty distinct ones are kept", () => {
  const reports = openCspReports();
  for (let i = 0; i < 100; i += 1) reports.add(old(`https://a.example/${i}`), i);
  for (let i = 0; i < 5; i += 1) reports.add(old("https://a.example/99"), 200 + i);
  expect(reports.total()).toBe(105);
  expect(reports.recent()).toHaveLength(20);
  expect(reports.recent()[0]).toMatchObject({ blocked: "https://a.example/99", count: 6, lastAt: 204 });
});

test("anything else is ignored", () => {
  const reports = openCspReports();
  for (const body of [
    null,
    1,
    "x",
    [],
    [[]],
    [null],
    {},
    { "csp-report": [] },
    { type: "csp-violation" },
    { body: {} },
  ]) {
    reports.add(body, 1);
  }
  expect(reports.total()).toBe(0);
});
