import { judgeOrder } from "@gatehouse/approval/verify";
import { byteForm } from "@gatehouse/base";
import { planKind, taskKind } from "@gatehouse/contract/records";
import { publicKeyBytes } from "@gatehouse/keys";
import { create, openDecide, remove } from "@gatehouse/store/decide";
import { describe, expect, test, vi } from "vitest";
import { clearTasks } from "./keep-tasks.ts";
import { plansLimits } from "./limits.ts";
import { listTasks } from "./list-tasks.ts";
import { groupSize, heldPart, hour, serverWord, setUpRuns, until } from "./plan-run-cases.ts";
import { taskKey } from "./task-records.ts";

describe("a plan that was started", () => {
  test("brings a host that is here its task, and is done with the host's word", async () => {
    const runs = setUpRuns();
    const { plan, hosts, document } = await runs.keepPlan();
    runs.here.add(hosts[0] ?? "");
    runs.start();
    await until(() => runs.offers.length).toBe(1);
    const [offer] = runs.offers;
    expect(await runs.tasksOf(plan.id)).toMatchObject([{ state: "sent", approval: "0a".repeat(16) }]);
    const { parts } = offer?.task ?? {};
    const bytesOf = (part = { sha256: "" }) => (offer && heldPart(offer, part)) ?? new Uint8Array();
    expect(offer?.task).toMatchObject({ planDigest: plan.digest, index: 0 });
    expect(Buffer.from(bytesOf(parts?.section)).equals(byteForm(document.sections[0]))).toBe(true);
    expect(Buffer.from(bytesOf(parts?.header)).equals(byteForm(document.header))).toBe(true);
    expect(bytesOf(parts?.digests)).toHaveLength(32);
    const now = runs.clock.now();
    const order = judgeOrder(bytesOf(parts?.approvals), {
      server: publicKeyBytes(runs.secret),
      nodeId: hosts[0] ?? "",
      planDigest: plan.digest,
      sectionIndex: 0,
      clock: { wall: now, floorNow: now },
      isSpent: () => false,
      horizon: 0,
    });
    expect(order).toMatchObject({ notAfter: now + hour, rollbackWindow: 120 });
    offer?.answer("apply.absent", "it would do it");
    await until(async () => (await runs.planNow(plan.id))?.state).toBe("done");
    const done = await runs.planNow(plan.id);
    expect(done).toMatchObject({ ended: { refused: 1 } });
    await until(() => runs.tasksOf(plan.id)).toEqual([]);
    const listed = await listTasks(runs, done ?? plan, { first: 0, limit: 10 });
    expect(listed).toMatchObject({ items: [{ state: "refused", code: "apply.absent" }], nextCursor: null });
    expect(await runs.actions()).toEqual(["task.queued", "task.sent", "task.ended", "plan.done"]);
  });

  test("ends as stale where the host has changed, and refuses for hosts that take nothing", async () => {
    const runs = setUpRuns();
    const { plan, hosts } = await runs.keepPlan({
      nodes: 2,
      trust: (index) => ({ accepts: index === 0 ? "server" : "none", trust: null }),
    });
    for (const host of hosts) runs.here.add(host);
    runs.start();
    await until(() => runs.offers.length).toBe(1);
    runs.offers[0]?.answer("state.stale");
    await until(async () => (await runs.planNow(plan.id))?.ended).toEqual({ stale: 1, refused: 1 });
    const listed = await listTasks(runs, (await runs.planNow(plan.id)) ?? plan, {
      state: "refused",
      first: 0,
      limit: 1,
    });
    expect(listed.items).toMatchObject([
      { node: hosts[1], code: "ceiling.off", detail: "root of the host takes no changes" },
    ]);
    expect(runs.offers).toHaveLength(1);
  });

  test("waits for a host that is away, and sends nothing before it is here", async () => {
    const runs = setUpRuns();
    const { plan, hosts } = await runs.keepPlan();
    const server = runs.start();
    await until(async () => (await runs.tasksOf(plan.id)).map(({ state }) => state)).toEqual(["queued"]);
    expect(runs.offers).toEqual([]);
    server.arrive(hosts[0] ?? "");
    await until(() => runs.offers.length).toBe(1);
    await server.runner.close();
  });

  test("is refused for a host that was away until the approvals ended", async () => {
    const runs = setUpRuns();
    const { plan } = await runs.keepPlan();
    const server = runs.start();
    await until(async () => (await runs.tasksOf(plan.id)).length).toBe(1);
    runs.clock.advance(hour + 1);
    await until(async () => {
      server.look();
      return (await runs.planNow(plan.id))?.ended;
    }).toEqual({ refused: 1 });
    const { items } = await listTasks(runs, (await runs.planNow(plan.id)) ?? plan, { first: 0, limit: 1 });
    expect(items).toMatchObject([{ code: "time.expired", approval: null }]);
  });

  test("is refused for a host whose approver was disabled before it was sent, and for no other", async () => {
    const runs = setUpRuns();
    const { plan, hosts } = await runs.keepPlan({ nodes: 2 });
    runs.here.add(hosts[0] ?? "");
    const server = runs.start();
    await until(() => runs.offers.length).toBe(1);
    await runs.keepUser("usr_bob", true);
    server.arrive(hosts[1] ?? "");
    runs.offers[0]?.answer("state.stale");
    await until(async () => (await runs.planNow(plan.id))?.ended).toEqual({ stale: 1, refused: 1 });
    expect(runs.offers).toHaveLength(1);
    const { items } = await listTasks(runs, (await runs.planNow(plan.id)) ?? plan, { first: 0, limit: 10 });
    expect(items.find(({ state }) => state === "refused")?.code).toBe("plan.not_approved");
  });

  test("is not sent where its approver is disabled between the choice and the word that it is on its way", async () => {
    const runs = setUpRuns();
    const { plan, hosts } = await runs.keepPlan();
    runs.here.add(hosts[0] ?? "");
    runs.before.order = () => runs.keepUser("usr_bob", true);
    runs.start();
    await until(async () => (await runs.planNow(plan.id))?.ended).toEqual({ refused: 1 });
    expect(runs.offers).toEqual([]);
    expect(await runs.actions()).not.toContain("task.sent");
  });

  test("is not sent before its time has come", async () => {
    const runs = setUpRuns();
    const { plan, hosts } = await runs.keepPlan({
      approvals: ({ now }) => [serverWord(now, { notBefore: now + 60_000 })],
    });
    runs.here.add(hosts[0] ?? "");
    const server = runs.start();
    await until(async () => (await runs.tasksOf(plan.id)).length).toBe(1);
    server.look();
    expect(runs.offers).toEqual([]);
    runs.clock.advance(60_000);
    await until(() => {
      server.look();
      return runs.offers.length;
    }).toBe(1);
    await server.runner.close();
  });

  test("ends for a node that was removed", async () => {
    const runs = setUpRuns();
    const { plan, hosts } = await runs.keepPlan();
    const server = runs.start();
    await until(async () => (await runs.tasksOf(plan.id)).length).toBe(1);
    runs.gone.add(hosts[0] ?? "");
    runs.clock.advance(plansLimits.nodesMs);
    server.look();
    await until(async () => (await runs.planNow(plan.id))?.ended).toEqual({ refused: 1 });
    const { items } = await listTasks(runs, (await runs.planNow(plan.id)) ?? plan, { first: 0, limit: 1 });
    expect(items).toMatchObject([{ code: "node.unknown" }]);
  });

  test("ends as unknown for a node that was revoked or removed after it was offered", async () => {
    const runs = setUpRuns();
    const { plan, hosts } = await runs.keepPlan();
    runs.here.add(hosts[0] ?? "");
    runs.start();
    await until(() => runs.offers.length).toBe(1);
    runs.gone.add(hosts[0] ?? "");
    runs.offers[0]?.lose();
    await until(async () => (await runs.planNow(plan.id))?.ended).toEqual({ unknown: 1 });
    const { items } = await listTasks(runs, (await runs.planNow(plan.id)) ?? plan, { first: 0, limit: 1 });
    expect(items).toMatchObject([{ state: "unknown", code: "node.unknown" }]);
  });

  test("keeps so many hosts busy at once and no more", async () => {
    const runs = setUpRuns();
    const { plan, hosts } = await runs.keepPlan({ nodes: plansLimits.tasksAtOnce + 2 });
    for (const host of hosts) runs.here.add(host);
    runs.start();
    await until(() => runs.offers.length).toBe(plansLimits.tasksAtOnce);
    runs.offers[0]?.answer("apply.absent");
    await until(() => runs.offers.length).toBe(plansLimits.tasksAtOnce + 1);
    await until(async () => {
      for (const offer of runs.offers) offer.answer("apply.absent");
      return (await runs.planNow(plan.id))?.ended;
    }).toEqual({ refused: hosts.length });
  });
});

describe("a host that goes away without a word", () => {
  test("leaves its task unknown, and is offered the same task under the same approval when it is back", async () => {
    const runs = setUpRuns();
    const { plan, hosts } = await runs.keepPlan();
    runs.here.add(hosts[0] ?? "");
    const server = runs.start();
    await until(() => runs.offers.length).toBe(1);
    runs.offers[0]?.lose();
    await until(async () => (await runs.tasksOf(plan.id))[0]?.state).toBe("unknown");
    server.arrive(hosts[0] ?? "");
    await until(() => runs.offers.length).toBe(2);
    expect(runs.offers[1]?.task).toEqual(runs.offers[0]?.task);
    runs.offers[1]?.answer("plan.digest");
    await until(async () => (await runs.planNow(plan.id))?.ended).toEqual({ refused: 1 });
  });

  test("or that a defect of the server parts from it is asked again, and the defect is told", async () => {
    const runs = setUpRuns();
    const { plan, hosts } = await runs.keepPlan();
    runs.here.add(hosts[0] ?? "");
    const server = runs.start();
    await until(() => runs.offers.length).toBe(1);
    runs.offers[0]?.fail();
    await until(() => runs.logLines.join("")).toContain("a defect");
    runs.clock.advance(plansLimits.nodesMs);
    server.look();
    await until(() => runs.offers.length).toBe(2);
    expect((await runs.tasksOf(plan.id))[0]?.state).toBe("unknown");
    await server.runner.close();
  });

  test("is offered it three times, and then nobody knows until no word can come any more", async () => {
    const runs = setUpRuns();
    const { plan, hosts } = await runs.keepPlan();
    const server = runs.start();
    for (let offered = 1; offered <= plansLimits.offers; offered += 1) {
      await until(() => {
        server.arrive(hosts[0] ?? "");
        return runs.offers.length;
      }).toBe(offered);
      runs.offers.at(-1)?.lose();
      await until(async () => (await runs.tasksOf(plan.id))[0]?.state).toBe("unknown");
    }
    server.arrive(hosts[0] ?? "");
    runs.clock.advance(hour + 120_000 + plansLimits.lateWordMs);
    server.look();
    await server.runner.close();
    expect((await runs.tasksOf(plan.id))[0]).toMatchObject({ state: "unknown" });
    expect(runs.offers).toHaveLength(plansLimits.offers);
    runs.here.clear();
    runs.clock.advance(1);
    runs.start();
    await until(async () => (await runs.planNow(plan.id))?.ended).toEqual({ unknown: 1 });
    const { items } = await listTasks(runs, (await runs.planNow(plan.id)) ?? plan, { first: 0, limit: 1 });
    expect(items).toMatchObject([{ state: "unknown", code: "time.expired" }]);
  });
});

describe("the stop of all plans", () => {
  test("halts what runs: nothing more is sent, and what was sent is still answered", async () => {
    const runs = setUpRuns();
    const { plan, hosts } = await runs.keepPlan({ nodes: 2 });
    runs.here.add(hosts[0] ?? "");
    const server = runs.start();
    await until(() => runs.offers.length).toBe(1);
    await runs.stop({ at: 1, by: "usr_ada", reason: "Hosts lose their network" });
    await until(async () => {
      server.look();
      return (await runs.planNow(plan.id))?.state;
    }).toBe("halted");
    expect(await runs.planNow(plan.id)).toMatchObject({ reason: "Hosts lose their network", movedBy: "system" });
    server.arrive(hosts[1] ?? "");
    runs.offers[0]?.answer("apply.absent");
    await until(async () => (await runs.tasksOf(plan.id)).map(({ state }) => state)).toEqual(["refused", "queued"]);
    expect(runs.offers).toHaveLength(1);
    await runs.stop(null);
    await runs.move(plan.id, "running");
    server.runner.started(plan.id);
    await until(() => runs.offers.length).toBe(2);
    await server.runner.close();
  });

  test("halts a plan also while another one cannot be ended", async () => {
    const runs = setUpRuns();
    await runs.keepPlan({ trust: () => ({ accepts: "none", trust: null }) });
    runs.clock.advance(1);
    const { plan } = await runs.keepPlan();
    const failing = vi.spyOn(runs.blobs, "put").mockRejectedValue(new Error("the disk is full"));
    const server = runs.start();
    await until(() => failing.mock.calls.length).toBe(1);
    await until(async () => (await runs.tasksOf(plan.id)).length).toBe(1);
    await runs.stop({ at: 1, by: "usr_ada", reason: "no" });
    server.look();
    await until(async () => (await runs.planNow(plan.id))?.state).toBe("halted");
    expect(runs.logLines.join("")).toContain("the disk is full");
    await server.runner.close();
  });

  test("is asked for before each task, whether or not it was noticed", async () => {
    const runs = setUpRuns();
    await runs.stop({ at: 1, by: "usr_ada", reason: "no" });
    const { plan, hosts } = await runs.keepPlan();
    const server = runs.start();
    await until(async () => (await runs.tasksOf(plan.id)).length).toBe(1);
    server.arrive(hosts[0] ?? "");
    server.look();
    await until(async () => (await runs.planNow(plan.id))?.state).toBe("halted");
    expect(runs.offers).toEqual([]);
  });
});

describe("a server that is started again", () => {
  test("makes the tasks that are missing, group by group", async () => {
    const runs = setUpRuns();
    const { plan } = await runs.keepPlan({ nodes: groupSize + 3 });
    const first = runs.start();
    await until(async () => (await runs.tasksOf(plan.id)).length).toBe(groupSize + 3);
    await first.runner.close();
    const before = await runs.tasksOf(plan.id);
    const all = await runs.store.list(taskKind, { limit: 1_000 });
    await runs.change(all.slice(groupSize).map((record) => remove(record)));
    const second = runs.start();
    await until(async () => (await runs.tasksOf(plan.id)).length).toBe(groupSize + 3);
    const after = await runs.tasksOf(plan.id);
    expect(after.map(({ index }) => index)).toEqual(before.map(({ index }) => index));
    expect(after.slice(0, groupSize).map(({ id }) => id)).toEqual(before.slice(0, groupSize).map(({ id }) => id));
    await second.runner.close();
  });

  test("does not know what became of a task that it had sent, and offers the same again", async () => {
    const runs = setUpRuns();
    const { plan, hosts } = await runs.keepPlan();
    runs.here.add(hosts[0] ?? "");
    const first = runs.start();
    await until(() => runs.offers.length).toBe(1);
    await first.runner.close();
    expect((await runs.tasksOf(plan.id))[0]?.state).toBe("sent");
    runs.here.clear();
    const second = runs.start();
    await until(async () => (await runs.tasksOf(plan.id))[0]?.state).toBe("unknown");
    second.arrive(hosts[0] ?? "");
    await until(() => runs.offers.length).toBe(2);
    expect(runs.offers[1]?.task).toEqual(runs.offers[0]?.task);
    runs.offers[1]?.answer("state.stale");
    await until(async () => (await runs.planNow(plan.id))?.ended).toEqual({ stale: 1 });
  });

  test("ends a plan whose last task had ended, and clears what was left of one that is done", async () => {
    const runs = setUpRuns();
    const { plan, hosts } = await runs.keepPlan({ nodes: 2, trust: () => ({ accepts: "none", trust: null }) });
    const first = runs.start();
    await until(async () => (await runs.planNow(plan.id))?.state).toBe("done");
    await first.runner.close();
    const done = await runs.planNow(plan.id);
    const tasks = (await listTasks(runs, done ?? plan, { first: 0, limit: 10 })).items;
    await runs.change(
      tasks.map(({ id, plan: of, index, node, name }) =>
        create(taskKey(of, index), { id, plan: of, index, node, name, state: "refused", stateAt: 1, code: "x" }),
      ),
    );
    const second = runs.start();
    await until(() => runs.tasksOf(plan.id)).toEqual([]);
    await second.runner.close();
    expect(hosts).toHaveLength(2);
    expect((await runs.actions()).at(-1)).toBe("task.cleared");
    expect(await runs.store.get(planKind.key(plan.id))).toMatchObject({ value: { state: "done" } });
  });

  test("clears the tasks of one plan once, whoever else does it at the same time", async () => {
    const runs = setUpRuns();
    const { plan } = await runs.keepPlan({ nodes: 2 });
    const server = runs.start();
    await until(async () => (await runs.tasksOf(plan.id)).length).toBe(2);
    await server.runner.close();
    await runs.move(plan.id, "done");
    const deps = { store: runs.store, decide: openDecide(runs.store), clock: runs.clock };
    await Promise.all([clearTasks(deps, plan.id), clearTasks(deps, plan.id)]);
    expect(await runs.tasksOf(plan.id)).toEqual([]);
    expect((await runs.actions()).filter((action) => action === "task.cleared")).toHaveLength(1);
  });

  test("clears what is left of a plan that is done, whenever it comes upon it", async () => {
    const runs = setUpRuns();
    const { plan } = await runs.keepPlan({ nodes: 2 });
    const first = runs.start();
    await until(async () => (await runs.tasksOf(plan.id)).length).toBe(2);
    await runs.move(plan.id, "done");
    first.runner.started(plan.id);
    await until(() => runs.tasksOf(plan.id)).toEqual([]);
    await first.runner.close();
  });
});
