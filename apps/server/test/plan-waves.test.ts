import type { Plan, PlanTask, PlanWaves } from "@gatehouse/contract/routes";
import { describe, expect, test } from "vitest";
import { applyPlan, orderOf, tasksOf, tasksTo } from "./applied-plan.ts";
import { approve, refusalOf, startInReview, takesServerWord } from "./approved-plan.ts";
import { newVisitor } from "./auth-server.ts";
import type { Refused } from "./planned-fleet.ts";

const until = (what: () => unknown) => expect.poll(what, { interval: 5 });

/** A plan for so many hosts that is approved, and their tasks as they come. */
async function startApproved(hosts: number) {
  const started = await startInReview(Array.from({ length: hosts }, () => takesServerWord));
  const { owner, plan, managed } = started;
  await approve(owner, plan, { server: true });
  const tasks = managed.map(({ agent }) => tasksTo(agent));
  const apply = async (body?: object) => {
    const tag = (await owner.call("GET", `/api/plans/${plan.id}`)).headers.get("etag") ?? "";
    return owner.call<Plan & Refused>("POST", `/api/plans/${plan.id}/apply`, { body, headers: { "If-Match": tag } });
  };
  /** By the place in the plan: which hosts have a task. */
  const sent = async () =>
    (await tasksOf(owner, plan)).filter(({ state }) => state !== "queued").map(({ index }) => index);
  const end = async (task: PlanTask | undefined, outcome: "applied" | "rolled_back") => {
    const at = managed.findIndex(({ host }) => host.nodeId === task?.node);
    const [{ agent, host }, came] = [managed[at] as (typeof managed)[number], await tasks[at]?.first()];
    if (came === undefined) throw new Error("the host has no task");
    const approvalId = await orderOf(agent, came);
    agent.send({ t: "task-taken", task: came.task });
    agent.send(host.outcome({ ...came, approvalId }, { outcome }));
  };
  const waves = async () => (await owner.call<PlanWaves>("GET", `/api/plans/${plan.id}/waves`)).body;
  return { ...started, apply, sent, end, waves };
}

describe("a plan that is applied in waves", () => {
  test("opens the next one at the signed end of the one before, and is halted by a host that takes it back", async () => {
    const { server, owner, plan, shown, sent, end, waves } = await startApproved(3);
    expect(await waves()).toEqual({ items: [], halt: null });
    await applyPlan(owner, plan, { waves: { canary: 1, size: 1 } });
    expect(await shown()).toMatchObject({ state: "running", waves: 3 });
    await until(sent).toEqual([0]);
    const [first, second] = await tasksOf(owner, plan);
    await end(first, "applied");
    await until(sent).toEqual([0, 1]);
    expect((await waves()).items).toMatchObject([
      { kind: "canary", state: "ended", tasks: { applied: 1 } },
      { kind: "rest", state: "open", nodes: 1 },
      { kind: "rest", state: "shut", tasks: { queued: 1 } },
    ]);
    await end(second, "rolled_back");
    const reason = "1 of 1 hosts of wave 2 have not kept the change: 1 rolled back";
    await until(shown).toMatchObject({ state: "halted", reason, movedBy: "system" });
    expect(await sent()).toEqual([0, 1]);
    const entry = (await server.audit()).find(({ action }) => action === "plan.started");
    expect(entry?.detail).toMatchObject({ waves: 3, tasks: 3 });
    const listed = await owner.call<{ items: PlanTask[] }>("GET", `/api/plans/${plan.id}/tasks`);
    expect(listed.body.items.map(({ wave }) => wave)).toEqual([0, 1, 2]);
  });

  test("goes on in the same waves when somebody who has looked applies it again", async () => {
    const { owner, plan, shown, sent, end, apply } = await startApproved(2);
    await applyPlan(owner, plan, { waves: { size: 1 } });
    await until(sent).toEqual([0]);
    const [first, second] = await tasksOf(owner, plan);
    await end(first, "rolled_back");
    await until(shown).toMatchObject({ state: "halted" });
    expect(refusalOf(await apply({ waves: { size: 2 } }))).toMatch(/^plan\.waves: the plan was started before/);
    expect((await apply()).body.state).toBe("running");
    await until(sent).toEqual([0, 1]);
    await end(second, "applied");
    await until(shown).toMatchObject({ state: "done", ended: { rolled_back: 1, applied: 1 } });
  });

  test("is refused where a tag has no host of the plan, or nothing says what the waves are", async () => {
    const { apply, shown } = await startApproved(1);
    expect(refusalOf(await apply({ waves: { tags: ["web"] } }))).toMatch(/^plan\.waves: /);
    expect((await apply({ waves: {} })).body.code).toBe("request.malformed");
    expect((await apply({ halt: { after: 1, percent: 2 } })).body.code).toBe("request.malformed");
    expect(await shown()).toMatchObject({ state: "approved", waves: null });
  });
});

describe("a plan that is halted by hand", () => {
  test("begins nothing more, says why, and stays as it is when it is halted again", async () => {
    const { server, owner, plan, sent, end, shown } = await startApproved(2);
    const halt = async (reason: string, by = owner) =>
      by.call<Plan & Refused>("POST", `/api/plans/${plan.id}/halt`, { body: { reason } });
    expect(refusalOf(await halt("too early"))).toMatch(/^plan\.move_refused: it is approved/);
    await applyPlan(owner, plan, { waves: { size: 1 } });
    await until(sent).toEqual([0]);
    const viewer = await newVisitor(server, owner, "viewer");
    expect((await halt("no", viewer)).status).toBe(403);
    expect((await halt("web-3 answers slowly")).body).toMatchObject({
      state: "halted",
      reason: "web-3 answers slowly",
    });
    expect((await halt("again")).body).toMatchObject({ state: "halted", reason: "web-3 answers slowly" });
    const [first] = await tasksOf(owner, plan);
    await end(first, "applied");
    await until(async () => (await tasksOf(owner, plan))[0]).toMatchObject({ state: "applied" });
    await server.tick();
    expect(await sent()).toEqual([0]);
    expect(await shown()).toMatchObject({ state: "halted" });
  });
});

describe("a word to the server for later", () => {
  test("holds from the time that it names, and nothing is sent before", async () => {
    const { server, owner, plan, managed, shown } = await startInReview([takesServerWord]);
    const ahead = (ms: number) => new Date(server.clock.now() + ms).toISOString();
    const hour = 60 * 60 * 1_000;
    const notBefore = ahead(hour);
    const late = await approve(owner, plan, { server: true, notBefore: ahead(31 * 24 * hour) });
    expect(refusalOf(late)).toMatch(/^time\.too_long: /);
    const { body } = await approve(owner, plan, { server: true, notBefore, minutes: 30 });
    expect(body).toMatchObject({ state: "approved", approvals: [{ notBefore, notAfter: ahead(1.5 * hour) }] });
    const [one] = managed;
    const tasks = tasksTo((one as (typeof managed)[number]).agent);
    await applyPlan(owner, plan);
    await server.tick();
    expect(tasks.came).toEqual([]);
    expect(await shown()).toMatchObject({ state: "running" });
    server.clock.advance(hour);
    await server.tick();
    expect(await tasks.first()).toMatchObject({ t: "task" });
  });

  test("that begins in the past begins now", async () => {
    const { server, owner, plan } = await startInReview([takesServerWord]);
    const now = new Date(server.clock.now()).toISOString();
    const { body } = await approve(owner, plan, { server: true, notBefore: "2020-01-01T00:00:00Z" });
    expect(body.approvals).toMatchObject([{ notBefore: now }]);
  });
});
