import type { Scope } from "./scopes.ts";

/** What stopped or differs, what waits for the reader, and what is about to change. */
export const overviewAreas = ["broken", "waiting", "changing"] as const;
export type OverviewArea = (typeof overviewAreas)[number];

export interface OverviewKindSpec {
  readonly area: OverviewArea;
  /** Whose trouble it is: the server's own stand before those of hosts. */
  readonly level: "server" | "host";
  /** Who may see it: whoever holds all of these. */
  readonly scopes: readonly Scope[];
  /** `every`: only for whoever may see every node; `each`: cut to those that the reader may see; `none`: it speaks of no node. */
  readonly nodes: "every" | "each" | "none";
  /** Of one of them, beside its mark. */
  readonly word: string;
  /** What follows their number, for one and for more. */
  readonly one: string;
  readonly many: string;
}

/** Everything that the overview and `gatehouse status` can say, in the order in which it is said. */
export const overviewKinds = {
  chain: {
    area: "broken",
    level: "server",
    scopes: ["audit:read"],
    nodes: "every",
    word: "Broken",
    one: "file of the audit log is not as it was written",
    many: "files of the audit log are not as they were written",
  },
  witness: {
    area: "broken",
    level: "server",
    scopes: ["audit:read"],
    nodes: "every",
    word: "Not the same log",
    one: "host saw another audit log",
    many: "hosts saw another audit log",
  },
  store: {
    area: "broken",
    level: "server",
    scopes: [],
    nodes: "none",
    word: "Broken",
    one: "store takes no changes",
    many: "stores take no changes",
  },
  disk: {
    area: "broken",
    level: "server",
    scopes: [],
    nodes: "none",
    word: "Low",
    one: "disk of this server is nearly full",
    many: "disks of this server are nearly full",
  },
  unread: {
    area: "broken",
    level: "server",
    scopes: [],
    nodes: "none",
    word: "Not read",
    one: "part could not be read",
    many: "parts could not be read",
  },
  measured: {
    area: "broken",
    level: "server",
    scopes: [],
    nodes: "none",
    word: "Dropping",
    one: "store of measurements drops rows",
    many: "stores of measurements drop rows",
  },
  plan_failed: {
    area: "broken",
    level: "host",
    scopes: ["plan:read"],
    nodes: "every",
    word: "Failed after change",
    one: "plan failed after a change",
    many: "plans failed after a change",
  },
  plan_rolled_back: {
    area: "broken",
    level: "host",
    scopes: ["plan:read"],
    nodes: "every",
    word: "Rolled back",
    one: "plan was rolled back",
    many: "plans were rolled back",
  },
  rival: {
    area: "broken",
    level: "host",
    scopes: ["node:read"],
    nodes: "each",
    word: "Two machines",
    one: "host is two machines with one identity",
    many: "hosts are two machines with one identity each",
  },
  offline: {
    area: "broken",
    level: "host",
    scopes: ["node:read"],
    nodes: "each",
    word: "Offline",
    one: "host is offline",
    many: "hosts are offline",
  },
  alert: {
    area: "broken",
    level: "host",
    scopes: ["node:read"],
    nodes: "each",
    word: "Alert",
    one: "alert is open",
    many: "alerts are open",
  },
  drift: {
    area: "broken",
    level: "host",
    scopes: ["node:read"],
    nodes: "each",
    word: "Differs",
    one: "host differs from what was confirmed",
    many: "hosts differ from what was confirmed",
  },
  clock: {
    area: "broken",
    level: "host",
    scopes: ["node:read"],
    nodes: "each",
    word: "Clock",
    one: "host's clock is off",
    many: "hosts' clocks are off",
  },
  plugin: {
    area: "broken",
    level: "server",
    scopes: ["plugin:admin"],
    nodes: "every",
    word: "Failing",
    one: "plugin fails",
    many: "plugins fail",
  },
  bundle: {
    area: "broken",
    level: "server",
    scopes: ["plugin:admin"],
    nodes: "every",
    word: "Rejected",
    one: "bundle was rejected",
    many: "bundles were rejected",
  },
  webhook: {
    area: "broken",
    level: "server",
    scopes: ["settings:admin"],
    nodes: "every",
    word: "Failing",
    one: "webhook fails",
    many: "webhooks fail",
  },
  review: {
    area: "waiting",
    level: "host",
    scopes: ["plan:read", "plan:approve"],
    nodes: "every",
    word: "Waiting",
    one: "plan waits for you",
    many: "plans wait for you",
  },
  decision: {
    area: "waiting",
    level: "server",
    scopes: ["plugin:admin"],
    nodes: "every",
    word: "Waiting",
    one: "decision waits for you",
    many: "decisions wait for you",
  },
  old_agent: {
    area: "waiting",
    level: "host",
    scopes: ["node:read", "node:admin"],
    nodes: "each",
    word: "Older",
    one: "release of the agent is not on every host",
    many: "releases of the agent are not on every host",
  },
  running: {
    area: "changing",
    level: "host",
    scopes: ["plan:read"],
    nodes: "every",
    word: "Running",
    one: "plan runs",
    many: "plans run",
  },
  halted: {
    area: "changing",
    level: "host",
    scopes: ["plan:read"],
    nodes: "every",
    word: "Halted",
    one: "plan is halted",
    many: "plans are halted",
  },
  approved: {
    area: "changing",
    level: "host",
    scopes: ["plan:read"],
    nodes: "every",
    word: "Approved",
    one: "plan is approved",
    many: "plans are approved",
  },
  token_expiring: {
    area: "changing",
    level: "server",
    scopes: [],
    nodes: "none",
    word: "Expiring",
    one: "token ends within a week",
    many: "tokens end within a week",
  },
  key_expiring: {
    area: "changing",
    level: "server",
    scopes: ["plugin:admin"],
    nodes: "every",
    word: "Expiring",
    one: "publisher's key ends within a month",
    many: "publishers' keys end within a month",
  },
  bundle_expiring: {
    area: "changing",
    level: "server",
    scopes: ["plugin:admin"],
    nodes: "every",
    word: "Expiring",
    one: "bundle ends within a month",
    many: "bundles end within a month",
  },
} as const satisfies Record<string, OverviewKindSpec>;

export type OverviewKind = keyof typeof overviewKinds;
export const overviewKindNames = Object.keys(overviewKinds) as [OverviewKind, ...OverviewKind[]];

/** How many of one kind are named; the others are counted. */
export const mostOfOverviewKind = 50;

/** "2 hosts are offline" */
export function sayOverviewCount(kind: OverviewKind, count: number): string {
  const { one, many } = overviewKinds[kind];
  return `${count.toLocaleString("en-GB")} ${count === 1 ? one : many}`;
}
