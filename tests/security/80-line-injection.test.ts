import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openFileStore } from "@gatehouse/store";
import { create } from "@gatehouse/store/decide";
import { expect, test } from "vitest";
import { inventedKey, inventedKind, inventedKinds } from "../support/invented-kinds.ts";
import { inventedEntry } from "../support/invented-entry.ts";
import { inLanes } from "./support/in-lanes.ts";
import { enter, newPerson, readAudit } from "./support/people.ts";
import { askForPlan, move, newPlan, plannedHost, restartNginx, shownPlan } from "./support/plans.ts";
import { newClient } from "./support/new-client.ts";
import { type RequestOptions, send } from "./support/raw-http.ts";
import { makeScratch } from "./support/scratch.ts";
import { startServer } from "./support/server.ts";
import { count, tried } from "./support/tried.ts";
import { joined } from "./support/joined.ts";

/** nginx-ui: a line end in a field, and the log or the configuration had a line of the attacker's. */
const latin1 = (text: string) => Buffer.from(text, "utf8").toString("latin1");
/** As characters for the store, and as the bytes of their UTF-8 for the wire. */
const breakers = joined(
  ["\n", "\r", "\r\n", "\0", "\u000b", "\u000c", "\u001b[2J", "\u001b]0;title\u0007", "\u0007", "\b", "\u007f", "\t"],
  [
    "\u0085",
    "\u009b31m",
    "\u2028",
    "\u2029",
    "\u202e",
    "\u200f",
    "\u2066",
    "\ufeff",
    "\u001a",
    "\u0004",
    "\\n",
    '"',
    "%0a",
    "\u00ad",
  ],
);
const forged = "2026-01-01T00:00:00.000Z info  forged level=error";

/** A breaker in every place of a request that could reach the log. */
function requestsWith(breaker: string): RequestOptions[] {
  const text = latin1(`a${breaker}${forged.replaceAll(" ", "_")}`);
  const places = [`/${text}`, `/api/${text}`, `/assets/${text}`, `/api/version?${text}`, `/${text}?${text}`];
  const headers = [
    "User-Agent",
    "Referer",
    "X-Request-Id",
    "X-Real-IP",
    "X-Forwarded-For",
    "Host",
    "Origin",
    "Cookie",
    "Accept-Encoding",
  ];
  return [
    ...places.map((path) => ({ path, headers: [newClient()] })),
    ...headers.map((name) => ({ path: "/api/version", headers: [[name, text] as const] })),
    { path: "/api/version", method: `GE${text}` },
    { path: "/api/version", headers: [[`X-${text}`, "1"]] },
    {
      path: "/api/csp-reports",
      method: "POST",
      headers: [newClient(), ["Content-Type", "application/json"]],
      body: JSON.stringify({
        "csp-report": { "blocked-uri": `https://x.test/${breaker}${forged}`, "document-uri": breaker },
      }),
    },
  ];
}

for (const format of ["json", "text"]) {
  test(`one request is one line of the ${format} log, whatever its texts hold`, async (context) => {
    await using server = await startServer({ env: { SERVICE_LOG_FORMAT: format, SERVICE_TRUST_PROXY: "1" } });
    const requests = breakers.flatMap(requestsWith);
    const answers = await inLanes(requests, 8, (request) => send(server.port, request));
    expect(answers.filter(({ status }) => status === 0)).toEqual([]);
    expect(await server.stop()).toBe(0);
    const log = server.stdout();
    const lines = log.split("\n");
    expect(lines.at(-1)).toBe("");
    // What never became a request (the parser refused it) has an id in its answer, but no line.
    const ids = answers.map(({ headers }) => headers.get("x-request-id") ?? "");
    const perId = ids.map((id) => lines.filter((line) => line.includes(id)).length);
    expect(perId.filter((times) => times > 1)).toEqual([]);
    const logged = perId.filter((times) => times === 1).length;
    // Beside the requests: what the plugin loader found, listening, stopping, stopped; and what the check of the audit log
    // found, when it ended before the stop.
    const checked = lines.filter((line) => line.includes("the audit log is as it was written")).length;
    expect(checked).toBeLessThanOrEqual(1);
    expect(lines.length - 1).toBe(logged + checked + 4);
    expect(log).not.toMatch(unsafe);
    expect(lines.filter((line) => line.startsWith(forged))).toEqual([]);
    if (format === "json")
      for (const line of lines.slice(0, -1)) expect(() => JSON.parse(line) as unknown, line).not.toThrow();
    else for (const line of lines.slice(0, -1)) expect(line).toMatch(textLine);
    tried(context, `${count(requests.length, "requests")}, ${count(logged, "lines")} of ${format}`);
  });
}

test("one commit is one audit record and one line of its log, whatever its texts hold", async (context) => {
  await using scratch = await makeScratch();
  const directory = join(scratch.path, "data");
  const store = await openFileStore({ directory, kinds: inventedKinds });
  const path = join(directory, "state.json.audit-wal");
  let committed = 0;
  const groupsOf = (text: string) => text.split("\n").filter((line) => line.startsWith('{"first":')).length;
  for (const breaker of breakers) {
    const text = `a${breaker}{"synced":1,"link":"${"0".repeat(64)}"}${breaker}${forged}`;
    const entry = inventedEntry({
      at: 1,
      actor: "system",
      action: "thing.kept",
      subject: text,
      requestId: text,
      address: text,
      detail: { [`key ${text}`]: text, list: [text], nested: { text } },
    });
    await store.commit(entry, [create(inventedKey(`thing/${committed}`), { text, [text]: 1 })]);
    committed += 1;
    const log = await readFile(path, "utf8");
    expect(groupsOf(log), JSON.stringify(breaker)).toBe(committed);
    expect(log).not.toMatch(unsafeInLog);
    const page = await store.searchAudit({ limit: 100, order: "newest" });
    expect(page.items).toHaveLength(committed);
    expect(page.items[0]).toMatchObject({ subject: text, detail: entry.detail });
  }
  const report = await store.verifyAudit();
  expect(report).toMatchObject({ ok: true, records: committed });
  await store.close();
  const again = await openFileStore({ directory, kinds: inventedKinds });
  expect((await again.head()).position).toBe(committed);
  expect((await again.list(inventedKind("thing"))).length).toBe(committed);
  await again.close();
  tried(context, count(committed, "audit records"));
});

test("one word of a plan, of whoever rejects it or of its host is one record and one line, whatever it holds", async (context) => {
  await using server = await startServer({ env: { SERVICE_TRUST_PROXY: "1" } });
  const { port } = server;
  const owner = await enter(port);
  const author = await newPerson(port, owner, "operator");
  const host = await plannedHost(port, owner);
  const wanted = { ...restartNginx, nodes: [host.nodeId] };
  const plan = await newPlan(port, author.as, wanted);
  let refused = 0;
  for (const breaker of breakers) {
    const text = `a${breaker}${forged}`;
    for (const more of [{ title: text }, { summary: text }]) {
      const made = await askForPlan(port, author.as, { ...wanted, ...more, review: false });
      expect([201, 400], text).toContain(made.status);
      if (made.status === 400) refused += 1;
    }
    const rejected = await move(port, owner.as, plan.id, { deed: "rejection", body: { reason: text }, tag: '"0"' });
    expect([400, 412], text).toContain(rejected.status);
  }
  await move(port, owner.as, plan.id, { deed: "approvals", body: { server: true } });
  await move(port, owner.as, plan.id, { deed: "apply" });
  const { task } = await host.nextTask();
  const detail = breakers
    .map((breaker) => `${breaker}${forged}`)
    .join(" ")
    .slice(0, 400);
  host.connection.send({ t: "task-refused", task, code: "ceiling.refused", detail });
  await expect.poll(async () => (await shownPlan(port, owner.as, plan.id)).state).toBe("done");
  const told = (await readAudit(port, owner.as)).filter(({ action }) => /^(plan|task)\./.test(action));
  expect(told.filter(({ action }) => action === "task.ended").length).toBe(1);
  expect(JSON.stringify(told)).not.toMatch(unsafe);
  const log = server.stdout();
  expect(log).not.toMatch(unsafe);
  expect(log.split("\n").filter((line) => line.startsWith(forged))).toEqual([]);
  tried(context, `${count(breakers.length * 3 + 1, "words")}, ${count(refused, "refused")}`);
});

test("the search for unsafe characters finds each of them", () => {
  for (const character of ["\r", "\0", "\u001b", "\u0085", "\u009b", "\u2028", "\u2029", "\u202e", "\u007f"]) {
    expect(`a${character}b\n`).toMatch(unsafe);
  }
  expect("a b\n").not.toMatch(unsafe);
});

/** Everything but the line end that ends a line. */
const unsafe = /[^\P{Cc}\n]|[\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
/** JSON leaves separators and C1 controls as they are; none of them ends a line for the log's reader. */
const unsafeInLog = /[\u0000-\u0009\u000b-\u001f]/; // oxlint-disable-line no-control-regex -- these are looked for.
const textLine = /^\d{4}-\d\d-\d\dT[\d:.]+Z (info |warn |error) \S/;
