import { expect, test } from "vitest";
import { sampleNode } from "./sample-node.ts";
import { countStandings, sayStanding, standingOf } from "./standing.ts";

const now = Date.UTC(2026, 10, 17, 3, 12);

test("an online node that only lets itself be looked at is watched, one that may be changed is healthy", () => {
  expect(standingOf(sampleNode({ mode: "monitor" }))).toBe("watched");
  expect(standingOf(sampleNode({ mode: "managed" }))).toBe("healthy");
  expect(sayStanding(sampleNode({ mode: "managed" }), now)).toEqual({ state: "ok", word: "Healthy" });
});

test("a node that is here and has told nothing is neither healthy nor watched in words", () => {
  expect(sayStanding({ ...sampleNode(), facts: null }, now).word).toBe("Online");
});

test("two machines with one identity come before everything but a revocation", () => {
  const rival = { address: "192.0.2.9", at: "2026-11-17T03:00:00.000Z" };
  expect(standingOf(sampleNode({ rival }))).toBe("rival");
  expect(standingOf(sampleNode({ rival, state: "offline" }))).toBe("rival");
  expect(standingOf(sampleNode({ rival, state: "revoked" }))).toBe("revoked");
});

test("an offline node says since when, if anybody saw it", () => {
  const since = new Date(now - 14 * 60_000).toISOString();
  expect(sayStanding(sampleNode({ state: "offline", since }), now).word).toMatch(/^Offline since \d\d:58$/);
  expect(sayStanding(sampleNode({ state: "offline", since: null }), now).word).toBe("Offline");
});

test("a node that was not heard since the server's start is no broken one", () => {
  const said = sayStanding(sampleNode({ state: "unknown", since: "2026-11-17T03:12:00.000Z" }), now);
  expect(said).toEqual({ state: "unheard", word: "Not heard yet" });
});

test("a host that is here and differs from what was confirmed says since when, and one that is away is away", () => {
  const drift = { parts: 2, since: new Date(now).toISOString() };
  expect(standingOf(sampleNode({ drift }))).toBe("drifted");
  expect(sayStanding(sampleNode({ drift }), now)).toMatchObject({
    state: "warn",
    word: expect.stringMatching(/^Differs since \d\d:12$/),
  });
  expect(standingOf(sampleNode({ drift, state: "offline" }))).toBe("offline");
  expect(standingOf(sampleNode({ drift, state: "unknown" }))).toBe("unheard");
});

test("a node that is here and has crossed a rule says its cause, and never only that it needs a look", () => {
  const cause = "Disk 94 %";
  expect(sayStanding({ ...sampleNode(), cause }, now)).toEqual({ state: "warn", word: cause });
  expect(standingOf({ ...sampleNode({ state: "offline" }), cause })).toBe("offline");
  expect(standingOf({ ...sampleNode({ state: "unknown" }), cause })).toBe("unheard");
  expect(standingOf({ ...sampleNode({ state: "revoked" }), cause })).toBe("revoked");
});

test("every node is counted once", () => {
  const counts = countStandings([
    sampleNode(),
    { ...sampleNode(), cause: "Disk 94 %" },
    sampleNode({ state: "offline" }),
    sampleNode({ state: "revoked" }),
  ]);
  expect(counts).toEqual({
    rival: 0,
    offline: 1,
    alerted: 1,
    drifted: 0,
    unheard: 0,
    healthy: 0,
    watched: 1,
    revoked: 1,
  });
});
