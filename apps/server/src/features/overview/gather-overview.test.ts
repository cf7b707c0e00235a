import {
  fault,
  type OverviewKind,
  overviewKindNames,
  overviewKinds,
  type Scope,
  scopeNames,
} from "@gatehouse/contract";
import { overview } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import { gatherOverview } from "./gather-overview.ts";
import { cutFindings, type OverviewAsker, type OverviewSource } from "./overview-source.ts";

const quiet = { warn: () => undefined };

function askerWith(scopes: readonly Scope[] = scopeNames, nodes?: readonly string[]): OverviewAsker {
  return {
    principal: {
      id: "usr_ruth",
      credential: { kind: "session", id: "ses_1" },
      scopes: new Set(scopes),
      authenticatedAt: 0,
    },
    seen: { isEvery: nodes === undefined, has: (node) => nodes === undefined || nodes.includes(node) },
    now: 1_000,
  };
}

const say = (name: string) => ({ subject: { type: "node", id: name, name } as const, title: name, line: "A line." });

/** A source that finds this many of each of its kinds, and counts how often it is asked. */
function sourceOf(kinds: readonly OverviewKind[], found = 1): OverviewSource & { asked: number } {
  const source = {
    about: "things",
    kinds,
    asked: 0,
    read: () => {
      source.asked += 1;
      const names = Array.from({ length: found }, (_, index) => `host-${index}`);
      return kinds.map((kind) => cutFindings(kind, names, say));
    },
  };
  return source;
}

const gather = (sources: readonly OverviewSource[], asker = askerWith()) =>
  gatherOverview({ sources, log: quiet }, asker);

test("what is found stands in the order of the table, whichever source found it and whenever", async () => {
  const kinds = [...overviewKindNames].toReversed();
  const answer = overview.parse(await gather(kinds.map((kind) => sourceOf([kind]))));
  const told = [...answer.broken.items, ...answer.waiting.items, ...answer.changing.items].map(({ kind }) => kind);
  expect(told).toEqual(overviewKindNames);
  expect(answer.broken.items.slice(0, 4).map(({ kind }) => kind)).toEqual(["chain", "witness", "store", "disk"]);
  expect(answer.unseen).toEqual([]);
});

test("of a kind the first fifty are named and all are counted", async () => {
  const { broken } = await gather([sourceOf(["offline"], 10_000), sourceOf(["plugin"])]);
  expect(broken.items).toHaveLength(51);
  expect(broken.more).toBe(9_950);
  expect(broken.counts).toEqual([
    { kind: "offline", count: 10_000, says: "10,000 hosts are offline" },
    { kind: "plugin", count: 1, says: "1 plugin fails" },
  ]);
});

test("a source that fails is something broken, never a blank; the others are told as they are", async () => {
  const lines: unknown[] = [];
  const failing: OverviewSource = {
    about: "plans",
    kinds: ["running"],
    read: () => Promise.reject(fault("store.unavailable", "the database does not answer")),
  };
  const sources = [failing, sourceOf(["offline"])];
  const answer = await gatherOverview({ sources, log: { warn: (...said) => lines.push(said) } }, askerWith());
  expect(answer.broken.items.map(({ kind, title, line }) => [kind, title, line])).toEqual([
    [
      "unread",
      "The plans could not be read",
      "This could not be read: the database does not answer. What is broken there is not known.",
    ],
    ["offline", "host-0", "A line."],
  ]);
  expect(answer.changing).toEqual({ items: [], more: 0, counts: [] });
  expect(lines).toHaveLength(1);
  const thrown: OverviewSource = {
    ...failing,
    read: () => {
      throw new Error("/var/lib/secret is gone");
    },
  };
  expect(JSON.stringify(await gather([thrown]))).not.toContain("secret");
});

test("whoever lacks a scope is told nothing of its kinds, their sources are not asked, and it is said what is not seen", async () => {
  for (const kind of overviewKindNames) {
    for (const scope of overviewKinds[kind].scopes) {
      const source = sourceOf([kind]);
      const answer = await gather([source], askerWith(scopeNames.filter((one) => one !== scope)));
      expect([answer.broken, answer.waiting, answer.changing].flatMap(({ items }) => items)).toEqual([]);
      expect(source.asked).toBe(0);
      expect(answer.unseen).toContain(kind);
    }
  }
});

test("whoever is limited to some nodes is told of those alone, and nothing of what concerns every node", async () => {
  const own = sourceOf(["offline", "plan_failed"], 3);
  const answer = await gather([own, sourceOf(["chain"])], askerWith(scopeNames, ["host-1"]));
  expect(answer.broken.items.map(({ kind, subject }) => [kind, subject.id])).toEqual([["offline", "host-1"]]);
  expect(answer.broken.counts).toEqual([{ kind: "offline", count: 1, says: "1 host is offline" }]);
  expect(answer.unseen).toEqual(overviewKindNames.filter((kind) => overviewKinds[kind].nodes === "every"));
});

test("a text from outside is cut, so that no name makes the answer large", async () => {
  const long: OverviewSource = {
    about: "things",
    kinds: ["bundle"],
    read: () => [
      cutFindings("bundle", ["x".repeat(100_000)], (name) => ({
        subject: { type: "bundle", id: "x", name },
        title: name,
        line: name,
      })),
    ],
  };
  expect(JSON.stringify(await gather([long])).length).toBeLessThan(3_000);
});
