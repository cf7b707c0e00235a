import type { FrameOf } from "@gatehouse/channel";
import type { Plan } from "@gatehouse/contract/routes";
import { newPrivateKey, publicKeyBytes } from "@gatehouse/keys";
import { describe, expect, test } from "vitest";
import { PretendHost } from "../../../tests/support/pretend-host.ts";
import { applyPlan, orderOf, tasksOf, tasksTo } from "./applied-plan.ts";
import {
  adaKey,
  approve,
  oneOfTwo,
  signatureBody,
  startInReview,
  statementAbout,
  takesServerWord,
  takesSignatures,
} from "./approved-plan.ts";
import { type AuthServer, startAuthServer } from "./auth-server.ts";
import { connectPretend, type PretendAgent } from "./pretend-agent.ts";
import { madePlan, restart } from "./planned-fleet.ts";
import { readStream } from "./event-reader.ts";

const until = (what: () => unknown) => expect.poll(what, { interval: 5 });

const ignored = async (server: AuthServer) =>
  (await server.audit()).filter(({ action }) => action === "task.outcome_ignored").map(({ detail }) => detail?.["why"]);
/** What the server said last of the outbox; frames of other kinds are let pass. */
const acked = async (agent: PretendAgent): Promise<number> => {
  for (;;) {
    const sent = await agent.next();
    const read = typeof sent === "string" ? (JSON.parse(sent) as { t: string; seq: number }) : undefined;
    if (read?.t === "out-ack") return read.seq;
  }
};

/** A plan that was applied, and the one host that it was offered to. */
async function startApplied(what: object = restart) {
  const started = await startInReview([takesServerWord], {}, what);
  const { owner, plan, managed } = started;
  const [one] = managed;
  if (one === undefined) throw new Error("there is no host");
  const { agent, host } = one;
  await approve(owner, plan, { server: true });
  const tasks = tasksTo(agent);
  await applyPlan(owner, plan);
  const task = await tasks.first();
  const approvalId = await orderOf(agent, task);
  return { ...started, agent, host, tasks, task, told: { ...task, approvalId } };
}

describe("a host that makes a change", () => {
  test("takes its task, tells its steps, and ends it with a word that it signed", async () => {
    const { server, owner, plan, agent, host, task, told, shown } = await startApplied();
    const stream = await readStream(server.url, owner);
    agent.send({ t: "task-taken", task: task.task });
    agent.send({ t: "~step", task: task.task, state: "armed", at: 1 });
    await until(async () => (await tasksOf(owner, plan))[0]).toMatchObject({ state: "sent", step: { state: "armed" } });
    await server.tick();
    expect(await stream.next("steps")).toEqual({ plans: [plan.id] });
    const word = host.outcome(told);
    agent.send(word);
    expect(await acked(agent)).toBe(1);
    await until(shown).toMatchObject({ state: "done", ended: { applied: 1 } });
    expect(await tasksOf(owner, plan)).toMatchObject([
      { state: "applied", code: null, step: null, outcome: word.body.signed },
    ]);
    const entry = (await server.audit()).find(({ action }) => action === "task.ended");
    expect(entry).toMatchObject({ actor: `node:${host.nodeId}`, subject: `node/${host.nodeId}` });
  });

  test("tells what a plan that only reads has read, while it runs and when it has ended", async () => {
    const source = { from: "journal", unit: "nginx.service" };
    const reading = { ...restart, operations: [{ kind: "log.tail", source, lines: 5 }] };
    const { owner, plan, agent, host, told, shown } = await startApplied(reading);
    expect(await tasksOf(owner, plan)).toMatchObject([{ state: "sent", told: [] }]);
    const read = [{ operation: 0, lines: ["ready", "half\u202ehidden"] }];
    agent.send(host.outcome(told, { detail: { code: "", detail: "", foreign: [], told: read } }));
    await until(shown).toMatchObject({ state: "done", ended: { applied: 1 } });
    expect(await tasksOf(owner, plan)).toMatchObject([
      { state: "applied", told: [{ operation: 0, lines: ["ready", "half hidden"] }] },
    ]);
  });

  test("under a statement that people signed ends it by the statement's own id", async () => {
    const { server, owner, plan, managed, shown } = await startInReview([takesSignatures(oneOfTwo)]);
    const statement = statementAbout(server, plan);
    await approve(owner, plan, signatureBody(adaKey, statement));
    const { agent, host } = managed[0] as (typeof managed)[number];
    const tasks = tasksTo(agent);
    await applyPlan(owner, plan);
    const task = await tasks.first();
    agent.send({ t: "task-taken", task: task.task });
    const approvalId = Buffer.from(statement.approvalId, "hex");
    const detail = { code: "check.failed", detail: "the table is another", foreign: [] };
    agent.send(host.outcome({ ...task, approvalId }, { outcome: "rolled_back", detail }));
    await until(shown).toMatchObject({ state: "done", ended: { rolled_back: 1 } });
    expect(await tasksOf(owner, plan)).toMatchObject([{ code: "check.failed", detail: "the table is another" }]);
  });

  test("may say how it ended before it says that it began, and go away in between", async () => {
    const { server, agent, host, told, task, shown } = await startApplied();
    agent.send(host.outcome(told));
    await until(shown).toMatchObject({ state: "done", ended: { applied: 1 } });
    agent.send({ t: "task-taken", task: task.task });
    agent.socket.close();
    const again = await connectPretend(server, host, { acked: 0, last: 1 }, ["state", "task"]);
    expect(again.welcome.acked).toBe(1);
  });

  test("ends it with a server that was started again in between", async () => {
    const { server, agent, host, task, told, plan } = await startApplied();
    agent.send({ t: "task-taken", task: task.task });
    await server.close();
    const { store, blobs, clock } = server;
    const second = await startAuthServer({ store, blobs, clock, withoutRates: true });
    const owner = await second.visitor().signIn();
    await until(async () => (await tasksOf(owner, plan))[0]?.state).toBe("unknown");
    const back = await connectPretend(second, host, { acked: 0, last: 0 }, ["state", "task"]);
    const offered = JSON.parse(String(await back.next())) as FrameOf<"task">;
    expect(offered).toMatchObject({ t: "task", task: task.task, index: task.index });
    back.send({ t: "task-taken", task: task.task });
    back.send({ t: "~step", task: task.task, state: "checking", at: 1 });
    await until(async () => (await tasksOf(owner, plan))[0]?.step?.state).toBe("checking");
    back.send(host.outcome(told));
    expect(await acked(back)).toBe(1);
    await until(async () => (await owner.call<Plan>("GET", `/api/plans/${plan.id}`)).body.ended).toEqual({
      applied: 1,
    });
  });
});

describe("a word about the end of a task", () => {
  const other = new PretendHost("other");
  test.each<[string, Parameters<PretendHost["outcome"]>[1]]>([
    ["that another key signed", { signer: newPrivateKey() }],
    ["in the name of another key", { hostKey: publicKeyBytes(other.hostKey), signer: other.hostKey }],
  ])("%s is not believed, and ends the connection", async (_, changed) => {
    const { owner, plan, agent, host, told } = await startApplied();
    agent.send(host.outcome(told, changed));
    expect((await agent.closed).reason).toBe("frame.malformed");
    await until(async () => (await tasksOf(owner, plan))[0]).toMatchObject({ state: "unknown", outcome: null });
  });

  test.each<[string, FrameOf<"out">, string]>([
    ["that is none", { t: "out", seq: 1, kind: "outcome", body: { signed: "AAAA" } }, "frame.malformed"],
    ["without one", { t: "out", seq: 1, kind: "outcome", body: {} }, "frame.malformed"],
    ["of another kind", { t: "out", seq: 1, kind: "step", body: {} }, "frame.unknown"],
  ])("%s ends the connection", async (_, sent, reason) => {
    const { agent } = await startApplied();
    agent.send(sent);
    expect((await agent.closed).reason).toBe(reason);
  });

  test("that is of an earlier task ends no later one, though both plans are alike", async () => {
    const { server, owner, author, agent, host, told, task, shown } = await startApplied();
    agent.send({ t: "task-taken", task: task.task });
    agent.send(host.outcome(told));
    await until(shown).toMatchObject({ state: "done" });
    const next = await madePlan(author, { ...restart, nodes: [host.nodeId] });
    expect(next.digest).toBe(task.planDigest);
    await approve(owner, next, { server: true });
    const tasks = tasksTo(agent);
    await applyPlan(owner, next);
    const later = await tasks.first();
    agent.send({ t: "task-taken", task: later.task });
    agent.send(host.outcome(told, { seq: 2 }));
    await until(() => ignored(server)).toEqual(["it is about another task"]);
    agent.send(host.outcome({ ...told, task: later.task }, { seq: 3 }));
    await until(() => ignored(server)).toHaveLength(2);
    expect((await tasksOf(owner, next))[0]).toMatchObject({ state: "sent", outcome: null });
  });

  test("that another node has signed is written down and ends nothing: a host that became another node is heard all the same", async () => {
    const { server, owner, plan, agent, host, told, shown } = await startApplied();
    const others = { nodeId: other.nodeId, hostKey: publicKeyBytes(other.hostKey), signer: other.hostKey };
    agent.send(host.outcome(told, others));
    expect(await acked(agent)).toBe(1);
    const entry = (await server.audit()).find(({ action }) => action === "task.outcome_ignored");
    expect(entry).toMatchObject({ actor: `node:${host.nodeId}`, detail: { why: "another node has signed it" } });
    expect(await tasksOf(owner, plan)).toMatchObject([{ state: "sent", outcome: null }]);
    agent.send(host.outcome(told, { seq: 2 }));
    await until(shown).toMatchObject({ state: "done", ended: { applied: 1 } });
  });

  test("of a node that was revoked is not kept", async () => {
    const { server, owner, agent, host, told } = await startApplied();
    agent.send(host.outcome(told, { task: `task_${"0".repeat(26)}` }));
    expect(await acked(agent)).toBe(1);
    const headers = { "If-Match": (await owner.call("GET", `/api/nodes/${host.nodeId}`)).headers.get("etag") ?? "" };
    const revoked = owner.call("PATCH", `/api/nodes/${host.nodeId}`, { body: { revoked: true }, headers });
    expect((await revoked).status).toBe(200);
    agent.send(host.outcome(told, { seq: 2 }));
    await agent.closed;
    const ends = (await server.audit()).filter(({ actor }) => actor === `node:${host.nodeId}`);
    expect(ends.map(({ action }) => action)).not.toContain("task.ended");
  });

  test("that comes twice is acknowledged twice and counts once", async () => {
    const { server, agent, host, told, shown } = await startApplied();
    agent.send(host.outcome(told));
    agent.send(host.outcome(told));
    expect([await acked(agent), await acked(agent)]).toEqual([1, 1]);
    await until(shown).toMatchObject({ state: "done" });
    agent.send(host.outcome(told, { seq: 2 }));
    expect(await acked(agent)).toBe(2);
    expect(await ignored(server)).toEqual(["no plan of this digest is under way"]);
    expect((await server.actions()).filter((action) => action === "task.ended")).toHaveLength(1);
  });

  test("that it was taken, about a task that was never sent, ends the connection; a step does not", async () => {
    const { agent } = await startApplied();
    const task = `task_${"0".repeat(26)}`;
    agent.send({ t: "~step", task, state: "armed", at: 1 });
    agent.send({ t: "task-taken", task });
    expect((await agent.closed).reason).toBe("frame.unknown");
  });
});
