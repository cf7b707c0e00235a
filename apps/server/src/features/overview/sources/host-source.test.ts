import { expect, test } from "vitest";
import { type HostTroubles, hostSource, type SurveyedHost, surveyHosts } from "./host-source.ts";

const online: SurveyedHost = {
  id: "node_1",
  name: "web-1",
  state: "online",
  since: 1_000,
  address: "192.0.2.1",
  skewMs: 40,
  rival: undefined,
  agentVersion: "1.2.0",
  drift: undefined,
};
const host = (more: Partial<SurveyedHost>): SurveyedHost => ({ ...online, ...more });

async function found(hosts: readonly SurveyedHost[], own?: readonly string[]) {
  const survey = (visit: (one: SurveyedHost) => void) => Promise.resolve(hosts.forEach(visit));
  const troubles = await surveyHosts(survey, "1.2.0");
  const source = hostSource({ readTroubles: () => Promise.resolve(troubles), version: "1.2.0" });
  const seen = { isEvery: own === undefined, has: (id: string) => own === undefined || own.includes(id) };
  const principal = {
    id: "usr_1",
    credential: { kind: "session", id: "ses_1" },
    scopes: new Set(),
    authenticatedAt: 0,
  };
  const findings = await source.read({ seen, now: 0, principal: principal as never });
  return findings.flatMap(({ items }) => items.map(({ kind, title, line }) => [kind, title, line]));
}

test.each([
  ["one that is online", host({}), []],
  ["one that nobody knows of yet", host({ state: "unknown", address: undefined }), []],
  ["one that was revoked", host({ state: "revoked", agentVersion: "1.0.0" }), []],
  ["one that is gone", host({ state: "offline" }), [["offline", "web-1 is offline", "Last from 192.0.2.1."]]],
  [
    "one that never came",
    host({ state: "offline", address: undefined }),
    [["offline", "web-1 is offline", "It was not heard since the server's start."]],
  ],
  [
    "two with one identity",
    host({ rival: { address: "192.0.2.9", at: 5 } }),
    [
      [
        "rival",
        "web-1: two machines, one identity",
        "Connections from 192.0.2.1 and 192.0.2.9 take each other's place.",
      ],
    ],
  ],
  [
    "one that differs from what was confirmed",
    host({ drift: { parts: 2, since: 5 } }),
    [
      [
        "drift",
        "web-1 differs from what was confirmed",
        "2 parts are not as a plan left them. Its page can plan them back.",
      ],
    ],
  ],
  ["one whose clock is off by a minute", host({ skewMs: 60_000 }), []],
  [
    "one whose clock is off by more",
    host({ skewMs: -3 * 60_000 }),
    [
      [
        "clock",
        "web-1: its clock is 3 minutes behind",
        "An approval may be over there, or not begun, when it holds here. One of the two clocks is wrong.",
      ],
    ],
  ],
  [
    "one whose agent is of an earlier release",
    host({ agentVersion: "1.1.9" }),
    [["old_agent", "1 agent is older than this server's 1.2.0", "web-1. A plan updates them."]],
  ],
  ["one whose agent is of a later release", host({ agentVersion: "2.0.0" }), []],
  ["one whose agent says no release", host({ agentVersion: "my own" }), []],
])("%s", async (_, one, expected) => {
  expect(await found([one])).toEqual(expected);
});

test("agents of an earlier release are one line, however many they are", async () => {
  const old = Array.from({ length: 1_200 }, (_, at) =>
    host({ id: `node_${at}`, name: `web-${at}`, agentVersion: "1.0.0" }),
  );
  expect(await found(old)).toEqual([
    [
      "old_agent",
      "1,200 agents are older than this server's 1.2.0",
      "web-0, web-1, web-2 and 1,197 more. A plan updates them.",
    ],
  ]);
});

test("whoever sees some nodes is told of those, and counted those", async () => {
  const hosts = [1, 2, 3].map((at) =>
    host({ id: `node_${at}`, name: `web-${at}`, state: "offline", agentVersion: "1.0.0" }),
  );
  expect(await found(hosts, ["node_2"])).toEqual([
    ["offline", "web-2 is offline", "Last from 192.0.2.1."],
    ["old_agent", "1 agent is older than this server's 1.2.0", "web-2. A plan updates them."],
  ]);
});

test("of ten thousand hosts with which nothing is the matter nothing is held", async () => {
  const held: HostTroubles = await surveyHosts(async (visit) => {
    for (let at = 0; at < 10_000; at += 1) visit(host({ id: `node_${at}` }));
    await Promise.resolve();
  }, "1.2.0");
  expect(held).toEqual({ offline: [], rivals: [], clocks: [], old: [], drifted: [], isUnsettled: false });
});

test("whether a host is gone is not settled while nobody can know it", async () => {
  const survey = (visit: (one: SurveyedHost) => void) => Promise.resolve(visit(host({ state: "unknown" })));
  expect(await surveyHosts(survey, "1.2.0")).toMatchObject({ offline: [], isUnsettled: true });
});
