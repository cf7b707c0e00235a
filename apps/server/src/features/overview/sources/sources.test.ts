import { scopeNames } from "@gatehouse/contract";
import type { Plan, Plugin } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import type { OverviewAsker, OverviewSource } from "../overview-source.ts";
import { plansSource, type SurveyedPlans } from "./plans-source.ts";
import { pluginSource } from "./plugin-source.ts";
import { serverSource, type ServerSourceDeps } from "./server-source.ts";
import { tokenSource } from "./token-source.ts";
import { trustSource } from "./trust-source.ts";

const now = Date.UTC(2026, 10, 17, 3, 12);
const day = 24 * 60 * 60_000;
const ago = (ms: number) => new Date(now - ms).toISOString();
const asker: OverviewAsker = {
  principal: {
    id: "usr_ruth",
    credential: { kind: "session", id: "ses_1" },
    scopes: new Set(scopeNames),
    authenticatedAt: 0,
  },
  seen: { isEvery: true, has: () => true },
  now,
};

async function found(source: OverviewSource) {
  const findings = await source.read(asker);
  expect(findings.every(({ kind }) => source.kinds.includes(kind))).toBe(true);
  return findings.flatMap(({ items }) => items.map(({ kind, title, line }) => `${kind}: ${title}. ${line}`));
}

const well: ServerSourceDeps = {
  auditCheck: () => ({ state: "ok", endedAt: now }),
  storeHealth: () => ({ writable: true, freeBytes: 5e9, totalBytes: 1e10, low: false }),
  dropping: () => undefined,
};

test.each([
  ["nothing", {}, []],
  ["a check that goes on", { auditCheck: () => ({ state: "checking" }) }, []],
  [
    "a log that was edited",
    { auditCheck: () => ({ state: "failed", endedAt: now, broken: { file: "logs.db", position: 48_170 } }) },
    [
      "chain: The audit log is not as it was written from #48,170 on. logs.db is damaged or was edited. Read it before you approve anything.",
    ],
  ],
  [
    "a disk that is low, before it is full",
    { storeHealth: () => ({ writable: true, freeBytes: 4e8, totalBytes: 1e10, low: true }) },
    [
      "disk: This server's disk is 96 % full. 400 MB free. Measurements and host logs are not kept any more, so that the audit log goes on. Make room soon.",
    ],
  ],
  [
    "a disk that is full: one trouble, not two",
    {
      storeHealth: () => ({
        writable: false,
        freeBytes: 1e6,
        totalBytes: 1e10,
        low: true,
        reason: "/var/lib/x is full",
      }),
    },
    [
      "store: This server takes no changes. 1 MB free. What is kept can be read; nothing is written. The server's log says why.",
    ],
  ],
  ["rows that were dropped long ago", { dropping: () => ({ since: 0, last: now - 11 * 60_000 }) }, []],
  [
    "rows that are dropped now",
    { dropping: () => ({ since: 0, last: now - 60_000 }) },
    [
      "measured: This server does not keep all that hosts send. Measurements, uses or lines of logs are dropped: the disk is low or slow, or more comes than can be written.",
    ],
  ],
] satisfies readonly [string, Partial<ServerSourceDeps>, readonly string[]][])(
  "of the server itself: %s",
  async (_, differs, expected) => {
    expect(await found(serverSource({ ...well, ...differs }))).toEqual(expected);
  },
);

const none: SurveyedPlans = { waiting: [], running: [], halted: [], approved: [], ended: [] };
const plan = (more: Partial<Plan>): Plan =>
  ({
    id: "plan_1",
    title: "Restart nginx",
    stateAt: ago(3_600_000),
    expiresAt: ago(-day),
    nodes: 3,
    waves: null,
    approvals: [],
    ended: null,
    ...more,
  }) as Plan;

test.each([
  ["ended well", { ended: [plan({ ended: { applied: 3, refused: 1 } })] }, []],
  [
    "left hosts half changed",
    { ended: [plan({ ended: { failed_after_change: 2, rolled_back: 1 }, stateAt: ago(6 * day) })] },
    ["plan_failed: Restart nginx. 2 hosts are neither as before nor as planned: look there now."],
  ],
  [
    "was taken back today",
    { ended: [plan({ ended: { applied: 3, rolled_back: 1 } })] },
    ["plan_rolled_back: Restart nginx. 1 host is as before: the change was taken back."],
  ],
  ["was taken back yesterday", { ended: [plan({ ended: { rolled_back: 1 }, stateAt: ago(25 * 3_600_000) })] }, []],
  [
    "waits for the reader",
    { waiting: [plan({})] },
    ["review: Restart nginx. A plan for 3 hosts, approved by nobody yet. Approve it or reject it."],
  ],
  [
    "is on its way",
    { running: [plan({ waves: 4 })], halted: [plan({ nodes: 1 })], approved: [plan({})] },
    [
      "running: Restart nginx. It changes 3 hosts now, in 4 waves.",
      "halted: Restart nginx. Halted on its way to 1 host. Somebody goes on with it, or it stays so.",
      "approved: Restart nginx. Approved for 3 hosts. It changes nothing until somebody starts it.",
    ],
  ],
] satisfies readonly [string, Partial<SurveyedPlans>, readonly string[]][])(
  "a plan that %s",
  async (_, plans, expected) => {
    const asked: number[] = [];
    const surveyPlans = (_who: unknown, { endedAfter }: { endedAfter: number }) => {
      asked.push(endedAfter);
      return Promise.resolve({ ...none, ...plans });
    };
    expect(await found(plansSource({ surveyPlans }))).toEqual(expected);
    expect(asked).toEqual([now - 7 * day]);
  },
);

const runtime = { state: "armed", breaker: "closed", failuresInARow: 0, message: null, lastErrors: [] };
const plugin = ({ runs, ...more }: Partial<Omit<Plugin, "runtime">> & { readonly runs?: object } = {}): Plugin =>
  ({
    id: "netguard",
    name: "Netguard",
    version: "1.0.0",
    publisher: "acme",
    status: "active",
    capabilities: [],
    expiresAt: null,
    available: true,
    verifiedAt: ago(day),
    installedAt: null,
    disabledAt: null,
    updatedAt: ago(day),
    runtime: { ...runtime, ...runs },
    ...more,
  }) as unknown as Plugin;
const change = {
  from: { version: "0.9.0", artifactSha256: "a" },
  to: { version: "1.0.0", artifactSha256: "b" },
  addedCapabilities: ["host:service"],
  removedCapabilities: [],
  downgrade: false,
};

test.each([
  ["runs", plugin(), []],
  ["is off", plugin({ status: "disabled", runs: { state: "absent" } }), []],
  [
    "could not be armed",
    plugin({ status: "disabled", runs: { state: "failed", message: "no sandbox" } }),
    ["plugin: Netguard failed. no sandbox"],
  ],
  [
    "is gone from the disk",
    plugin({ available: false, runs: { message: "it is revoked" } }),
    ["plugin: Netguard is not loaded. it is revoked"],
  ],
  [
    "is not armed",
    plugin({ runs: { state: "absent" } }),
    ["plugin: Netguard is not running. Its runtime is not armed"],
  ],
  [
    "fails again and again",
    plugin({
      runs: { breaker: "open", failuresInARow: 5, lastErrors: [{ at: ago(0), action: "health", reason: "timed out" }] },
    }),
    ["plugin: Netguard fails. Breaker open after 5 failures in a row. Last, health: timed out"],
  ],
  ["failed once", plugin({ runs: { failuresInARow: 1 } }), ["plugin: Netguard fails. Its last call failed"]],
  [
    "waits to be accepted",
    plugin({ status: "verified" }),
    ["decision: Netguard 1.0.0: verified, not accepted. Accept or leave closed. By acme, declares nothing."],
  ],
  [
    "has new bytes",
    plugin({ status: "verified", change } as never),
    ["decision: Netguard 1.0.0: new digest. Accept or leave closed. Against 0.9.0: adds host:service."],
  ],
  [
    "waits to be activated",
    plugin({ status: "installed" }),
    ["decision: Netguard 1.0.0: accepted, not activated. Activate it, or disable it. Nothing of it runs."],
  ],
  ["waits, but is not there", plugin({ status: "verified", available: false }), []],
  [
    "ends in a month",
    plugin({ expiresAt: ago(-29 * day) }),
    [
      "bundle_expiring: Netguard 1.0.0: its bundle ends. It is not loaded at a start after that. Place one that its publisher signed anew.",
    ],
  ],
  [
    "has ended and still runs",
    plugin({ expiresAt: ago(day) }),
    [
      "bundle_expiring: Netguard 1.0.0: its bundle has ended. It is not loaded at a start after that. Place one that its publisher signed anew.",
    ],
  ],
  ["ends later", plugin({ expiresAt: ago(-31 * day) }), []],
])("a plugin that %s", async (_, one, expected) => {
  expect(await found(pluginSource({ listPlugins: () => Promise.resolve([one]), rejections: [] }))).toEqual(expected);
});

test("a bundle that was turned away", async () => {
  const rejection = {
    name: "acme-x",
    code: "bundle.x",
    title: "",
    todo: "",
    detail: "its key is old",
    rejectedAt: ago(0),
  };
  expect(await found(pluginSource({ listPlugins: () => Promise.resolve([]), rejections: [rejection] }))).toEqual([
    "bundle: acme-x rejected. Its key is old. Not loaded.",
  ]);
});

test("keys of publishers that end within a month, or did, the first to end first; those without an end and revoked ones never", async () => {
  const keys = [
    { id: "later", notAfter: now + 31 * day },
    { id: "soon", notAfter: now + 29 * day },
    { id: "over", notAfter: now - day },
    { id: "revoked", notAfter: now + day },
    { id: "endless" },
  ];
  const policy = {
    publishers: new Map([["acme", { id: "acme", keys }]]),
    revoked: { keys: new Set(["revoked"]) },
  };
  expect(await found(trustSource({ policy }))).toEqual([
    "key_expiring: A key of acme has ended. over. What it alone has signed is not loaded at a start after that.",
    "key_expiring: A key of acme ends. soon. What it alone has signed is not loaded at a start after that.",
  ]);
});

test("tokens that end within a week are named with whose they are", async () => {
  const asked: unknown[] = [];
  const source = tokenSource({
    listEndingTokens: (_, within) => {
      asked.push(within);
      return Promise.resolve([
        { id: "1", name: "deploy", owner: { id: "usr_ruth", username: "ruth" }, expiresAt: now + day },
        { id: "2", name: "backup", owner: { id: "usr_mara", username: "mara" }, expiresAt: now + 2 * day },
      ]);
    },
  });
  expect(await found(source)).toEqual([
    "token_expiring: Token deploy ends. Your token. Whatever uses it is refused from then on.",
    "token_expiring: Token backup ends. A token of mara. Whatever uses it is refused from then on.",
  ]);
  expect(asked).toEqual([{ after: now, before: now + 7 * day }]);
});
