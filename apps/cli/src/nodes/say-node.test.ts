import { expect, test } from "vitest";
import { sampleNode } from "../../test/sample-node.ts";
import { nodeLines } from "./describe-node.ts";
import { sayClock, saySeen, sayState, sayTime } from "./say-node.ts";

const now = Date.parse("2026-11-16T03:12:40.000Z");

test.each([
  ["Watched since 02:58", {}],
  ["Healthy since 02:58", { facts: { mode: "managed" } }],
  ["Healthy since 02:58", { facts: null }],
  ["Clock 1 h 4 min off since 02:58", { clockSkewMs: 3_840_000 }],
  ["Clock 3 s off since 02:58", { clockSkewMs: -3_000 }],
  [
    "Two machines with one identity since 02:58",
    { rival: { address: "192.0.2.9", at: "2026-11-16T03:00:00.000Z" }, clockSkewMs: 9_000 },
  ],
  ["Offline since 2026-11-15 23:59", { state: "offline", since: "2026-11-15T23:59:59.000Z" }],
  ["Offline", { state: "offline", since: null, lastSeenAt: null }],
  ["Not heard yet", { state: "offline", since: null, lastSeenAt: null, facts: null }],
  ["Not heard yet since 03:12", { state: "unknown", since: "2026-11-16T03:12:02.000Z" }],
  ["Revoked since 03:00", { state: "revoked", since: "2026-11-16T03:00:00.000Z" }],
] as const)("a node is %s", (words, changes) => {
  expect(sayState(sampleNode(changes), now)).toBe(words);
});

test("times are those of the clock; only what was a moment ago is counted", () => {
  expect(sayTime("2026-11-16T00:00:59.999Z", now)).toBe("00:00");
  expect(sayTime("2026-10-16T00:00:59.999Z", now)).toBe("2026-10-16 00:00");
  expect(saySeen("2026-11-16T03:12:30.000Z", now)).toBe("10 s ago");
  expect(saySeen("2026-11-16T03:11:30.000Z", now)).toBe("03:11");
  expect(saySeen(null, now)).toBe("-");
});

test("a clock is compared with the server's", () => {
  expect([null, 0, -499, 90_000, -2_000].map(sayClock)).toEqual([
    "not compared yet",
    "as the server's",
    "as the server's",
    "1 min 30 s ahead of the server's",
    "2 s behind the server's",
  ]);
});

test("everything that is known of a node is shown, the ceiling with the digest that the host signed", () => {
  const text = nodeLines(sampleNode({ notes: "rack 4" }), now).join("\n");
  expect(text).toContain("web-1 (00000001): Watched since 02:58");
  for (const part of [
    `id            node_${"0".repeat(25)}1`,
    "compare       00000001, book dock near june",
    "notes         rack 4",
    "seen          10 s ago, from 192.0.2.1",
    "addresses     192.0.2.1 2001:db8::1",
    "ceiling       monitor: look, and nothing else",
    '{ "level": "monitor" }',
    `sha256 ${"c".repeat(64)}`,
    "agent         1.0.0 for x64",
    "units         gatehouse-agent.service active",
    "enrolled      2026-11-15T10:00:00Z by usr_1",
  ]) {
    expect(text).toContain(part);
  }
});

test("of a node that has not described itself nothing is made up, and a rival is told first", () => {
  const rival = { address: "192.0.2.9", at: "2026-11-16T03:00:00.000Z" };
  const lines = nodeLines(sampleNode({ facts: null, rival }), now);
  expect(lines[1]).toContain("from 192.0.2.9 at 2026-11-16T03:00:00Z");
  expect(lines.join("\n")).toContain("web-1, which has not described itself yet");
  expect(lines.join("\n")).not.toContain("sha256");
});
