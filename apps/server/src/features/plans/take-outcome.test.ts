import { serverSettingsKey } from "@gatehouse/contract/records";
import { describe, expect, test, vi } from "vitest";
import { keepRows } from "./evidence.ts";
import { plansLimits } from "./limits.ts";
import { listTasks } from "./list-tasks.ts";
import { hour, type SeenOffer, setUpRuns, startOffered, until } from "./plan-run-cases.ts";

const windowMs = 120_000;

type Offered = Awaited<ReturnType<typeof startOffered>>;

const audited = async ({ runs }: Pick<Offered, "runs">, action: string) => {
  const { items } = await runs.store.searchAudit({ order: "oldest", limit: 1_000 });
  return items.filter((item) => item.action === action).map(({ detail }) => detail);
};

describe("a task that its host has begun", () => {
  test("stays sent until the host says how it ended; two commits, and the plan is done", async () => {
    const { runs, plan, server, offer, taskOf, ended } = await startOffered();
    offer.take();
    expect(await taskOf()).toMatchObject({ state: "sent" });
    await server.end(offer);
    await until(ended).toEqual({ applied: 1 });
    const { items } = await listTasks(runs, (await runs.planNow(plan.id)) ?? plan, { first: 0, limit: 1 });
    expect(items).toMatchObject([{ state: "applied", code: null, detail: null, step: null }]);
    expect(items[0]?.outcome).toMatch(/^[\w-]{100,}$/);
    expect(await runs.actions()).toEqual(["task.queued", "task.sent", "task.ended", "plan.done"]);
  });

  test("ends as the host says, with its code and what somebody else had changed", async () => {
    const started = await startOffered();
    const { runs, plan, server, offer, ended } = started;
    offer.take();
    const foreign = Array.from({ length: 9 }, (_, at) => `file:/etc/${at}\n`);
    const detail = { code: "confirm.late", detail: "nobody had proved it", foreign };
    await server.end(offer, { outcome: "rolled_back", at: 7, detail });
    await until(ended).toEqual({ rolled_back: 1 });
    const { items } = await listTasks(runs, (await runs.planNow(plan.id)) ?? plan, { first: 0, limit: 1 });
    expect(items).toMatchObject([{ state: "rolled_back", code: "confirm.late", detail: "nobody had proved it" }]);
    expect(await audited(started, "task.ended")).toMatchObject([
      {
        state: "rolled_back",
        code: "confirm.late",
        hostTime: 7,
        foreign: foreign.slice(0, 8).map((one) => one.replace("\n", "?")),
      },
    ]);
  });

  test("may end before its host said that it has begun", async () => {
    const { runs, server, offer, ended } = await startOffered();
    await server.end(offer);
    offer.take();
    await until(ended).toEqual({ applied: 1 });
    expect(await runs.actions()).toEqual(["task.queued", "task.sent", "task.ended", "plan.done"]);
  });

  test("is not lost with its connection; its host is asked again when its window is long over", async () => {
    const { runs, hosts, server, offer, taskOf, ended } = await startOffered();
    offer.take();
    await until(() => runs.here.delete(hosts[0] ?? "")).toBe(false);
    server.arrive(hosts[0] ?? "");
    runs.clock.advance(windowMs + plansLimits.outcomeMs - 1);
    server.look();
    expect(await taskOf()).toMatchObject({ state: "sent" });
    runs.clock.advance(1);
    await until(() => {
      server.look();
      return runs.offers.length;
    }).toBe(2);
    expect(await taskOf()).toMatchObject({ state: "unknown" });
    expect(runs.offers[1]?.task).toEqual(offer.task);
    runs.offers[1]?.take();
    await server.end(offer, { outcome: "failed_before_change" });
    await until(ended).toEqual({ failed_before_change: 1 });
  });

  test("keeps its host from being offered another one, and goes on when all plans are stopped", async () => {
    const { runs, plan, hosts, server, offer } = await startOffered();
    offer.take();
    runs.clock.advance(1);
    const other = await runs.keepPlan({ of: hosts });
    server.runner.started(other.plan.id);
    await until(async () => (await runs.tasksOf(other.plan.id)).length).toBe(1);
    server.arrive(hosts[0] ?? "");
    await runs.stop({ at: 1, by: "usr_ada", reason: "no" });
    await until(async () => {
      server.look();
      return (await runs.planNow(plan.id))?.state;
    }).toBe("halted");
    expect(runs.offers).toHaveLength(1);
    await server.end(offer);
    await until(async () => (await runs.planNow(plan.id))?.state).toBe("done");
    expect(await runs.store.get(serverSettingsKey)).toBeDefined();
    await runs.stop(null);
    await until(async () => (await runs.planNow(other.plan.id))?.state).toBe("halted");
    await runs.move(other.plan.id, "running");
    server.runner.started(other.plan.id);
    await until(() => runs.offers.length).toBe(2);
    expect(runs.offers[1]?.task.task).not.toBe(offer.task.task);
    await server.runner.close();
  });

  test("is asked for again by a server that was started again, and the host's word counts there too", async () => {
    const { runs, server, offer, taskOf, ended } = await startOffered();
    offer.take();
    await server.runner.close();
    expect(await taskOf()).toMatchObject({ state: "sent" });
    const second = runs.start();
    await until(() => runs.offers.length).toBe(2);
    expect(await taskOf()).toMatchObject({ state: "unknown" });
    runs.offers[1]?.take();
    await second.end(runs.offers[1] as SeenOffer);
    await until(ended).toEqual({ applied: 1 });
  });

  test("ends also where nobody waited any more, as long as its plan is under way", async () => {
    const { runs, plan, hosts, server, offer } = await startOffered(2);
    runs.gone.add(offer.node);
    offer.lose();
    const given = async () => (await runs.tasksOf(plan.id)).find(({ node }) => node === offer.node);
    await until(given).toMatchObject({ state: "unknown", code: "node.unknown" });
    await server.end(offer);
    const after = await given();
    expect(after).toMatchObject({ state: "applied" });
    expect(after?.code).toBeUndefined();
    runs.offers.find(({ node }) => node !== offer.node)?.answer("apply.absent");
    await until(async () => (await runs.planNow(plan.id))?.ended).toEqual({ applied: 1, refused: 1 });
    expect(hosts).toHaveLength(2);
  });

  test("is counted as its host says also when that comes while the plan is being ended", async () => {
    const { runs, server, offer, ended } = await startOffered();
    runs.gone.add(offer.node);
    const put = runs.blobs.put.bind(runs.blobs);
    // Between what is read for the blob of all ends and the commit that names it.
    const putting = vi.spyOn(runs.blobs, "put").mockImplementationOnce(async (parts) => {
      await server.end(offer);
      return put(parts);
    });
    offer.lose();
    await until(ended).toEqual({ applied: 1 });
    expect(putting).toHaveBeenCalledTimes(2);
  });
});

describe("a host that is asked again", () => {
  test.each(["use.spent", "use.horizon", "journal.unsound", "ceiling.off", "task.malformed"] as const)(
    "and answers %s may have begun: its task stays unknown, and is not said to be refused",
    async (code) => {
      const { runs, hosts, server, offer, taskOf, ended } = await startOffered();
      offer.lose();
      server.arrive(hosts[0] ?? "");
      await until(() => {
        runs.offers.at(-1)?.answer(code);
        server.arrive(hosts[0] ?? "");
        return runs.offers.length;
      }).toBe(plansLimits.offers);
      expect(await taskOf()).toMatchObject({ state: "unknown" });
      expect(await ended()).toBeUndefined();
      await server.end(offer);
      await until(ended).toEqual({ applied: 1 });
    },
  );

  test("after its approval has ended says that it had not begun", async () => {
    const { runs, hosts, server, offer, ended } = await startOffered();
    offer.lose();
    runs.clock.advance(hour + 1);
    await until(() => {
      server.arrive(hosts[0] ?? "");
      return runs.offers.length;
    }).toBe(2);
    runs.offers[1]?.answer("time.expired");
    await until(ended).toEqual({ refused: 1 });
  });
});

describe("a host whose root part does not answer", () => {
  test("may have begun: its task is unknown and not refused, and its word ends it", async () => {
    const { runs, offer, server, taskOf, ended } = await startOffered();
    offer.answer("local.unavailable");
    await until(taskOf).toMatchObject({ state: "unknown" });
    expect((await taskOf())?.code).toBeUndefined();
    await server.end(offer);
    await until(ended).toEqual({ applied: 1 });
    expect(runs.offers).toHaveLength(1);
  });

  test("is asked again after a while, until it says what became of the task", async () => {
    const { runs, hosts, server, offer, ended } = await startOffered();
    offer.answer("local.unavailable");
    for (let offered = 2; offered <= plansLimits.offers + 2; offered += 1) {
      server.arrive(hosts[0] ?? "");
      expect(runs.offers).toHaveLength(offered - 1);
      await until(() => {
        runs.clock.advance(plansLimits.busyMs / 10);
        server.look();
        return runs.offers.length;
      }).toBe(offered);
      expect(runs.offers.at(-1)?.task).toEqual(offer.task);
      runs.offers.at(-1)?.answer(offered < plansLimits.offers + 2 ? "local.unavailable" : "state.stale");
    }
    await until(ended).toEqual({ stale: 1 });
  });
});

describe("a host that is busy with another change", () => {
  test.each(["slot.busy", "read.rate"] as const)(
    "%s: is left alone for a while and then offered the same task again; nothing was refused",
    async (code) => {
      const { runs, hosts, server, offer, taskOf, ended } = await startOffered();
      offer.answer(code);
      await until(() => {
        server.arrive(hosts[0] ?? "");
        return runs.offers.length;
      }).toBe(1);
      expect(await taskOf()).toMatchObject({ state: "sent" });
      runs.clock.advance(plansLimits.busyMs);
      await until(() => {
        server.look();
        return runs.offers.length;
      }).toBe(2);
      expect(runs.offers[1]?.task).toEqual(offer.task);
      expect(await taskOf()).toMatchObject({ state: "sent" });
      runs.offers[1]?.take();
      await server.end(offer);
      await until(ended).toEqual({ applied: 1 });
      expect(await runs.actions()).toEqual(["task.queued", "task.sent", "task.ended", "plan.done"]);
    },
  );

  test("because it still brings the parts of this one is asked until it says, as often as that takes", async () => {
    const { runs, hosts, server, offer, ended } = await startOffered();
    offer.lose();
    server.arrive(hosts[0] ?? "");
    for (let offered = 2; offered <= plansLimits.offers + 3; offered += 1) {
      await until(() => {
        runs.clock.advance(plansLimits.busyMs / 10);
        server.look();
        server.arrive(hosts[0] ?? "");
        return runs.offers.length;
      }).toBe(offered);
      runs.offers.at(-1)?.answer(offered < plansLimits.offers + 3 ? "read.rate" : "state.stale");
    }
    await until(ended).toEqual({ stale: 1 });
  });

  test("until the approval has ended is refused the task: it has not begun it", async () => {
    const { runs, hosts, server, offer, ended } = await startOffered();
    offer.answer("slot.busy");
    await until(() => runs.here.delete(hosts[0] ?? "")).toBe(false);
    runs.clock.advance(hour + 1);
    await until(async () => {
      server.look();
      return ended();
    }).toEqual({ refused: 1 });
    expect(runs.offers).toHaveLength(1);
  });
});

describe("a host's word that ends nothing", () => {
  test.each([
    ["about another task", { task: `task_${"0".repeat(26)}` }, "it is about another task"],
    ["about another place of the plan", { index: 1 }, "no plan of this digest is under way"],
    ["about another plan", { planDigest: new Uint8Array(32) }, "no plan of this digest is under way"],
    [
      "under another approval",
      { approvalId: new Uint8Array(16) },
      "it is under another approval than the one that the task was sent under",
    ],
  ])("%s is written down and not believed", async (_, changed, why) => {
    const started = await startOffered();
    const { server, offer, taskOf } = started;
    offer.take();
    await server.end(offer, changed);
    expect(await taskOf()).toMatchObject({ state: "sent" });
    expect(await audited(started, "task.outcome_ignored")).toMatchObject([{ state: "applied", why }]);
    await server.end(offer);
    await until(started.ended).toEqual({ applied: 1 });
  });

  test("about a task of which its host cannot have heard is not believed", async () => {
    const started = await startOffered();
    const { runs, plan, server, offer, hosts } = started;
    offer.take();
    await server.runner.close();
    runs.clock.advance(1);
    const other = await runs.keepPlan({ of: hosts });
    runs.here.clear();
    const second = runs.start();
    await until(async () => (await runs.tasksOf(other.plan.id)).length).toBe(1);
    const [task] = await runs.tasksOf(other.plan.id);
    await second.end(offer, { task: task?.id ?? "", planDigest: Buffer.from(other.plan.digest, "hex") });
    expect(await audited(started, "task.outcome_ignored")).toMatchObject([{ why: "the task was not sent" }]);
    expect(await runs.tasksOf(plan.id)).toMatchObject([{ state: "unknown" }]);
    await second.runner.close();
  });

  test("comes twice, or after its plan is done, and changes nothing", async () => {
    const started = await startOffered(2);
    const { runs, plan, server } = started;
    const [first, second] = runs.offers as [SeenOffer, SeenOffer];
    await server.end(first);
    await server.end(first, { outcome: "rolled_back" });
    await server.end(second);
    await until(started.ended).toEqual({ applied: 2 });
    await server.end(first);
    expect(await audited(started, "task.outcome_ignored")).toMatchObject([
      { why: "the task has ended as applied" },
      { why: "no plan of this digest is under way" },
    ]);
    expect((await runs.planNow(plan.id))?.ended).toEqual({ applied: 2 });
  });
});

test("plans that ended before hosts signed their ends are shown without one", async () => {
  const runs = setUpRuns();
  const { plan } = await runs.keepPlan();
  const row = { id: "task_1", plan: plan.id, index: 0, node: "node_1", name: "web", state: "refused" };
  const outcomes = await keepRows(runs.blobs, [row]);
  const { items } = await listTasks(runs, { ...plan, outcomes }, { first: 0, limit: 1 });
  expect(items).toEqual([{ ...row, wave: 0, outcome: null, step: null, told: [] }]);
});

test("the tasks that somebody may have to look at are those under way and those that have ended without the change", async () => {
  const runs = setUpRuns();
  const { plan } = await runs.keepPlan();
  const states = ["applied", "rolled_back", "queued", "sent", "applied", "refused"] as const;
  const row = { id: "task_1", plan: plan.id, node: "node_1", name: "web" };
  const outcomes = await keepRows(
    runs.blobs,
    states.map((state, index) => ({ ...row, index, state })),
  );
  const read = async (first: number) => listTasks(runs, { ...plan, outcomes }, { isNotable: true, first, limit: 2 });
  const { items, nextCursor } = await read(0);
  expect([items.map(({ state }) => state), nextCursor]).toEqual([["rolled_back", "sent"], "5"]);
  expect((await read(5)).items).toMatchObject([{ index: 5, state: "refused" }]);
});

describe("how far a host is", () => {
  test("is shown of tasks that were sent to it, newest first, and told together", async () => {
    const { runs, plan, hosts, server, offer } = await startOffered(2);
    const node = offer.node;
    const task = offer.task.task;
    const of = { plan: plan.id, node };
    const armedAt = new Date(runs.clock.now()).toISOString();
    server.runner.takeStep(node, { task, state: "validated" });
    expect(server.runner.stepOf(of)).toEqual({ state: "validated", at: armedAt, armedAt: null });
    server.runner.takeStep(node, { task, state: "armed" });
    runs.clock.advance(40);
    server.runner.takeStep(node, { task, state: "applying" });
    const at = new Date(runs.clock.now()).toISOString();
    expect(server.runner.stepOf(of)).toEqual({ state: "applying", at, armedAt });
    const deps = { ...runs, stepOf: (one: { plan: string; node: string }) => server.runner.stepOf(one) };
    const { items } = await listTasks(deps, plan, { first: 0, limit: 2 });
    expect(items.map(({ step }) => step?.state)).toEqual(hosts.map((host) => (host === node ? "applying" : undefined)));
    server.look();
    server.look();
    expect(runs.told).toEqual([plan.id]);
    await server.end(offer);
    expect(server.runner.stepOf(of)).toBeNull();
    await server.runner.close();
  });

  test("is nobody's concern where the task is another host's, was not sent, or is not known", async () => {
    const { runs, plan, hosts, server, offer } = await startOffered();
    runs.clock.advance(1);
    const waiting = await runs.keepPlan();
    server.runner.started(waiting.plan.id);
    await until(async () => (await runs.tasksOf(waiting.plan.id)).length).toBe(1);
    const [queued] = await runs.tasksOf(waiting.plan.id);
    server.runner.takeStep(waiting.hosts[0] ?? "", { task: queued?.id ?? "", state: "armed" });
    server.runner.takeStep(waiting.hosts[0] ?? "", { task: offer.task.task, state: "armed" });
    server.runner.takeStep(hosts[0] ?? "", { task: `task_${"0".repeat(26)}`, state: "armed" });
    server.look();
    expect(runs.told).toEqual([]);
    expect(server.runner.stepOf({ plan: plan.id, node: hosts[0] ?? "" })).toBeNull();
    await server.runner.close();
  });
});
