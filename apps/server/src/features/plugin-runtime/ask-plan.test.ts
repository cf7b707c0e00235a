import { createHash } from "node:crypto";
import { type Json, manualClock } from "@gatehouse/base";
import type { VerifiedBundle } from "@gatehouse/bundle/verify";
import type { AuditEntry } from "@gatehouse/contract";
import type { PlanNode } from "@gatehouse/contract/broker";
import { draftDigest, inputDigest, planDraft, planSource } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { openLog } from "../../platform/log/index.ts";
import { askPlan, openRuntime } from "./index.ts";

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();
const artifactSha256 = "a0".repeat(32);
const id = (end: string) => `node_${"0".repeat(25)}${end}`;
const node = (end: string, state: PlanNode["states"][number]["state"]): PlanNode => ({
  id: id(end),
  name: `web-${end}`,
  tags: [],
  addresses: [],
  states: [{ subject: "service:a.service", state }],
});
const draft = planDraft.parse({
  title: "Restart",
  summary: "Restarts a service.",
  sections: ["2", "1"].map((end) => ({
    node: id(end),
    operations: [{ kind: "service.restart", unit: "a.service" }],
  })),
});
const asker = { actor: "usr_1", requestId: "req_1", address: "192.0.2.9" };

/** An armed plugin that answers with `result`, and everything that was written about it. */
async function setUp(result: Json, ready: Promise<void> = Promise.resolve()) {
  const entries: AuditEntry[] = [];
  const params: Json[] = [];
  const book = {
    write: (entry: AuditEntry) => {
      entries.push(entry);
      return Promise.resolve({ version: 1 });
    },
    note: (entry: AuditEntry) => {
      entries.push(entry);
      return Promise.resolve(undefined);
    },
  };
  const clock = manualClock();
  const log = openLog({ format: "text", write: () => undefined });
  const run = async (_: string, asked: Json) => {
    params.push(asked);
    await ready;
    return { outcome: { ok: true as const, result }, calls: [], ms: 1 };
  };
  const runner = { arm: () => Promise.resolve({ sandbox: "landlock", run, disarm: () => Promise.resolve() }) };
  const runtime = openRuntime({ runner, log, clock, book });
  const manifest = { id: "acme-restart", version: "1.2.0", publisher: "acme", capabilities: ["host:service"] };
  await runtime.arm({ manifest, artifactSha256, payloadSha256: artifactSha256 } as unknown as VerifiedBundle, "start");
  const store = { health: () => ({ writable: true }) };
  const deps = { runtime, book, store, clock, log, activationOf: () => Promise.resolve("active" as const) };
  return { deps, runtime, params, told: () => entries.filter(({ action }) => /asked|answered/.test(action)) };
}

test("a plan comes with the draft and with what it takes to draw it up again", async () => {
  const { deps, params, told } = await setUp(JSON.parse(JSON.stringify(draft)) as Json);
  const [one, two] = [node("1", "absent"), node("2", "c0".repeat(32))];
  const asked = await askPlan(deps, asker, { id: "acme-restart", input: { a: 1 }, nodes: [two, one] });
  const question = { input: { a: 1 }, nodes: [one, two] };
  expect(params).toEqual([question]);
  const inputSha256 = inputDigest(sha256, question);
  expect(asked.draft).toEqual(draft);
  expect(planSource.parse(asked.source)).toEqual({
    from: "plugin",
    plugin: "acme-restart",
    version: "1.2.0",
    artifactSha256,
    inputSha256,
  });
  expect(asked.report.plan).toEqual({ digest: draftDigest(sha256, draft), inputSha256 });
  expect(told()).toMatchObject([
    { ...asker, action: "plugin.asked", outcome: "done", detail: { action: "plan", inputSha256 } },
    { ...asker, action: "plugin.answered", outcome: "done", detail: { inputSha256, draftDigest: expect.any(String) } },
  ]);
});

test("four plans are drawn up at once, whoever asks; the next is told when to come back, and health is asked beside them", async () => {
  const held = Promise.withResolvers<void>();
  const { deps, runtime } = await setUp(draft as unknown as Json, held.promise);
  const one = () =>
    askPlan(deps, asker, { id: "acme-restart", input: null, nodes: [node("1", "absent"), node("2", "absent")] });
  const first = Array.from({ length: 4 }, one);
  await expect(one()).rejects.toMatchObject({ code: "plugin.busy", fields: { retryAfter: 1 } });
  runtime.enter("acme-restart", "health").leave();
  held.resolve();
  await Promise.all(first);
  await expect(one()).resolves.toMatchObject({ draft: { title: "Restart" } });
});

test("a plan that is none fails as every answer does: recorded, and counted by the breaker", async () => {
  const { deps, runtime, told } = await setUp({ title: "t" });
  const failed = askPlan(deps, asker, { id: "acme-restart", input: null, nodes: [node("1", "absent")] });
  await expect(failed).rejects.toMatchObject({
    code: "plugin.action_failed",
    detail: expect.stringMatching(/^its plan is not one: /) as string,
  });
  expect(told()).toMatchObject([{ action: "plugin.asked" }, { action: "plugin.answered", outcome: "failed" }]);
  expect(runtime.stateOf("acme-restart").ledger).toMatchObject({ failuresInARow: 1, actions: 1 });
});
