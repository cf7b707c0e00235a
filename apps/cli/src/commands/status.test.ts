import { joinToken, overviewKindNames } from "@gatehouse/contract";
import type { Overview, OverviewItem } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import { runLine } from "../../test/run-commands.ts";
import { sendJson, sendProblem, startSmallServer } from "../../test/small-server.ts";

const nothing = { items: [], more: 0, counts: [] };
const well: Overview = {
  at: "2026-11-17T03:12:40.000Z",
  broken: nothing,
  waiting: nothing,
  changing: nothing,
  unseen: [],
};
const item = (more: Partial<OverviewItem>): OverviewItem => ({
  kind: "offline",
  level: "host",
  subject: { type: "node", id: "node_1", name: "web-1" },
  word: "Offline",
  title: "web-1 is offline",
  line: "Last from 192.0.2.1.",
  since: "2026-11-17T02:58:00.000Z",
  until: null,
  ...more,
});

/** What a server that says this makes of the command. */
async function statusOf(answer: Partial<Overview> | "refused", words = "status") {
  const { url } = await startSmallServer((response, { path }) => {
    if (answer === "refused") return sendProblem(response, 401, "auth.credential_refused");
    expect(path).toBe("/api/overview");
    sendJson(response, 200, { ...well, ...answer });
  });
  return { url, ...(await runLine(words, { environment: environmentOf(url.origin) })) };
}

const environmentOf = (server: string) => ({
  GATEHOUSE_TOKEN: joinToken("a".repeat(16), "b".repeat(43)),
  GATEHOUSE_SERVER: server,
});

test("nothing broken is one line that says so, and exit code 0", async () => {
  const { code, out, url } = await statusOf({});
  expect(code).toBe(0);
  expect(out).toBe(
    `Nothing is broken. (${url.origin}, 2026-11-17T03:12:40Z)\nWaiting for you: nothing\nAbout to change: nothing\n`,
  );
});

test("what is broken comes first, and is exit code 1; what waits alone is not", async () => {
  const counts = [{ kind: "offline" as const, count: 12, says: "12 hosts are offline" }];
  const waiting = {
    items: [item({ kind: "review", word: "Waiting", title: "Restart nginx", until: "2026-11-18T03:00:00.000Z" })],
    more: 0,
    counts: [{ kind: "review" as const, count: 1, says: "1 plan waits for you" }],
  };
  const broken = await statusOf({ broken: { items: [item({})], more: 11, counts }, waiting });
  expect(broken.code).toBe(1);
  expect(broken.out.split("\n").slice(1)).toEqual([
    "Broken: 12",
    "  Offline: web-1 is offline (since 2026-11-17T02:58:00Z)",
    "    Last from 192.0.2.1.",
    "  and 11 more",
    "Waiting for you: 1",
    "  Waiting: Restart nginx (since 2026-11-17T02:58:00Z, until 2026-11-18T03:00:00Z)",
    "    Last from 192.0.2.1.",
    "About to change: nothing",
    "",
  ]);
  expect(broken.out).toMatch(/^Broken: 12 hosts are offline\. /);
  expect((await statusOf({ waiting })).code).toBe(0);
});

test("what the caller may not see is named by what it takes, and the answer claims no more than it knows", async () => {
  const { code, out } = await statusOf({ unseen: ["chain", "plugin", "bundle", "old_agent"] });
  expect(code).toBe(0);
  expect(out).toMatch(/^Nothing that you may see is broken\. /);
  expect(out).toContain(
    "Not shown to you: what needs node:read, node:admin; audit:read, plugin:admin for every node\n",
  );
  expect((await statusOf({ unseen: [...overviewKindNames] })).out).not.toContain("undefined");
});

test("with --json it is the answer of the server, and the exit codes are the same", async () => {
  const fine = await statusOf({}, "status --json");
  expect([fine.code, JSON.parse(fine.out)]).toEqual([0, { ok: true, ...well }]);
  const counts = [{ kind: "offline" as const, count: 1, says: "1 host is offline" }];
  const broken = await statusOf({ broken: { items: [item({})], more: 0, counts } }, "status --json");
  expect([broken.code, JSON.parse(broken.out)]).toMatchObject([1, { ok: false, broken: { counts } }]);
});

test("a server that refuses, or is not there, leaves it unknown: exit code 3, never 0 or 1; a typing mistake is 2", async () => {
  expect((await statusOf("refused")).code).toBe(3);
  expect((await statusOf("refused", "status --json")).code).toBe(3);
  const away = await runLine("status", { environment: environmentOf("http://127.0.0.1:1") });
  expect(away.code).toBe(3);
  expect(away.err).toContain("cli.server_unreachable");
  expect((await statusOf({}, "status --wrong")).code).toBe(2);
});

test("a name from a host cannot act on the terminal", async () => {
  const counts = [{ kind: "offline" as const, count: 1, says: "1 host is offline" }];
  const { out } = await statusOf({ broken: { items: [item({ title: "web\u001b[2J\u202e" })], more: 0, counts } });
  expect(out).toContain("web\\u001b[2J\\u202e");
});
