import { describe, expect, test } from "vitest";
import { plansLimits } from "./limits.ts";
import { listWaves } from "./list-waves.ts";
import { hour, type SeenOffer, serverWord, setUpRuns, until } from "./plan-run-cases.ts";

/** A plan in waves whose hosts are all here. */
async function startWaves(
  waves: readonly number[],
  more: Parameters<ReturnType<typeof setUpRuns>["keepPlan"]>[0] = {},
) {
  const runs = setUpRuns();
  const nodes = waves.reduce((sum, size) => sum + size, 0);
  const { plan, hosts } = await runs.keepPlan({ nodes, waves, ...more });
  for (const host of hosts) runs.here.add(host);
  return { runs, plan, hosts, stateNow: async () => (await runs.planNow(plan.id))?.state };
}

/** The places of the hosts that were offered their tasks, in the plan's order. */
const offered = (runs: { readonly offers: readonly SeenOffer[] }) =>
  runs.offers.map(({ task }) => task.index).toSorted((a, b) => a - b);

describe("a plan in waves", () => {
  test("brings the next wave its tasks when every host of the one before has signed that it has the change", async () => {
    const { runs, plan, stateNow } = await startWaves([1, 2, 1]);
    const server = runs.start();
    await until(() => offered(runs)).toEqual([0]);
    await server.end(runs.offers[0] as SeenOffer);
    await until(() => offered(runs)).toEqual([0, 1, 2]);
    await server.end(runs.offers[1] as SeenOffer);
    server.look();
    expect(server.runner.countWaves(plan.id, 3)).toMatchObject({ open: 1 });
    await server.end(runs.offers[2] as SeenOffer);
    await until(() => offered(runs)).toEqual([0, 1, 2, 3]);
    await server.end(runs.offers[3] as SeenOffer);
    await until(stateNow).toBe("done");
    const done = (await runs.planNow(plan.id)) ?? plan;
    expect((await listWaves(runs, done, undefined)).items).toMatchObject([
      { state: "ended", tasks: { applied: 1 } },
      { state: "ended", tasks: { applied: 2 } },
      { state: "ended", tasks: { applied: 1 } },
    ]);
  });

  test("halts at the first host that takes it back, and brings nobody else a task", async () => {
    const { runs, plan, stateNow } = await startWaves([1, 2]);
    const server = runs.start();
    await until(() => runs.offers.length).toBe(1);
    await server.end(runs.offers[0] as SeenOffer, { outcome: "rolled_back" });
    await until(stateNow).toBe("halted");
    expect(await runs.planNow(plan.id)).toMatchObject({
      movedBy: "system",
      reason: "1 of 1 hosts of wave 1 have not kept the change: 1 rolled back",
    });
    expect(await runs.actions()).toEqual(["task.queued", "task.sent", "task.ended", "plan.halted"]);
    server.look();
    expect(offered(runs)).toEqual([0]);
    const waves = await listWaves(runs, (await runs.planNow(plan.id)) ?? plan, server.runner.countWaves(plan.id, 2));
    expect(waves).toEqual({
      items: [
        { index: 0, kind: "rest", tag: null, nodes: 1, state: "ended", tasks: { rolled_back: 1 } },
        { index: 1, kind: "rest", tag: null, nodes: 2, state: "shut", tasks: { queued: 2 } },
      ],
      halt: { after: 1 },
    });
    expect(await listWaves(runs, (await runs.planNow(plan.id)) ?? plan, undefined)).toEqual(waves);
  });

  test("halts too where the host that goes first refuses it", async () => {
    const { runs, stateNow } = await startWaves([1, 1]);
    runs.start();
    await until(() => runs.offers.length).toBe(1);
    runs.offers[0]?.answer("ceiling.path");
    await until(stateNow).toBe("halted");
    expect(offered(runs)).toEqual([0]);
  });

  test("sends nothing more from the moment of the end that is too much, also in its own wave", async () => {
    const { runs, hosts, stateNow } = await startWaves([3], { halt: { after: 1 } });
    for (const host of hosts.slice(1)) runs.here.delete(host);
    const server = runs.start();
    await until(() => runs.offers.length).toBe(1);
    // They come while the end is being kept.
    const ended = server.end(runs.offers[0] as SeenOffer, { outcome: "rolled_back" });
    await ended;
    for (const host of hosts.slice(1)) server.arrive(host);
    await until(stateNow).toBe("halted");
    expect(offered(runs)).toEqual([0]);
  });

  test("goes on when somebody says so, and halts again at the next", async () => {
    const { runs, plan, stateNow } = await startWaves([1, 2]);
    const server = runs.start();
    await until(() => runs.offers.length).toBe(1);
    await server.end(runs.offers[0] as SeenOffer, { outcome: "rolled_back" });
    await until(stateNow).toBe("halted");
    await runs.goOn(plan.id, [1, 0]);
    server.runner.started(plan.id);
    await until(() => offered(runs)).toEqual([0, 1, 2]);
    await server.end(runs.offers[1] as SeenOffer, { outcome: "rolled_back" });
    await until(stateNow).toBe("halted");
  });

  test("keeps the next wave shut for a host that went away with its task, and not for one that was never here", async () => {
    const { runs, hosts } = await startWaves([3, 1]);
    runs.here.delete(hosts[2] ?? "");
    const server = runs.start();
    await until(() => offered(runs)).toEqual([0, 1]);
    runs.offers[1]?.take();
    await server.end(runs.offers[0] as SeenOffer);
    server.look();
    runs.here.delete(hosts[1] ?? "");
    const wait = async () => {
      runs.clock.advance(plansLimits.awayMs);
      server.look();
      await server.settled();
    };
    await wait();
    await wait();
    expect(offered(runs), "one was sent its task and has said nothing").toEqual([0, 1]);
    await server.end(runs.offers[1] as SeenOffer);
    await until(() => {
      server.look();
      return offered(runs);
    }).toEqual([0, 1, 3]);
    server.arrive(hosts[2] ?? "");
    await until(() => offered(runs)).toEqual([0, 1, 2, 3]);
  });

  test("opens nothing behind a wave of which nobody is here", async () => {
    const { runs, hosts } = await startWaves([1, 1]);
    runs.here.delete(hosts[0] ?? "");
    const server = runs.start();
    await until(async () => (await runs.actions()).length).toBe(1);
    for (let time = 0; time < 3; time += 1) {
      server.look();
      await server.settled();
      runs.clock.advance(plansLimits.awayMs);
    }
    expect(runs.offers).toEqual([]);
    server.arrive(hosts[0] ?? "");
    await until(() => offered(runs)).toEqual([0]);
  });

  test("is where it was after a restart, and halts where the server ended before it could say so", async () => {
    const { runs, plan, stateNow } = await startWaves([1, 1, 1]);
    const first = runs.start();
    await until(() => offered(runs)).toEqual([0]);
    await first.end(runs.offers[0] as SeenOffer);
    await until(() => offered(runs)).toEqual([0, 1]);
    runs.offers[1]?.take();
    await first.runner.close();
    await first.end(runs.offers[1] as SeenOffer, { outcome: "rolled_back" });
    expect(await stateNow()).toBe("running");
    const second = runs.start();
    await until(stateNow).toBe("halted");
    expect(second.runner.countWaves(plan.id, 3)).toMatchObject({ open: 1 });
    expect(offered(runs)).toEqual([0, 1]);
  });

  test("ends for hosts of waves that never opened when the approvals are over", async () => {
    const { runs, plan, stateNow } = await startWaves([1, 2], { halt: { after: 3 } });
    const server = runs.start();
    await until(() => runs.offers.length).toBe(1);
    runs.offers[0]?.take();
    runs.clock.advance(hour + 1);
    await until(async () => {
      server.look();
      return (await runs.tasksOf(plan.id)).map(({ state }) => state);
    }).toEqual(["sent", "refused", "refused"]);
    expect(await stateNow()).toBe("running");
    expect(runs.offers).toHaveLength(1);
  });

  test("waits with its first wave until the time of the approval has come", async () => {
    const { runs } = await startWaves([1, 1], {
      approvals: ({ now }) => [serverWord(now, { notBefore: now + 60_000 })],
    });
    const server = runs.start();
    await until(async () => (await runs.actions()).length).toBe(1);
    server.look();
    await server.settled();
    expect(runs.offers).toEqual([]);
    runs.clock.advance(60_000);
    await until(() => {
      server.look();
      return offered(runs);
    }).toEqual([0]);
  });
});

test("a plan that nobody gave waves brings all hosts their tasks, whatever becomes of one", async () => {
  const { runs, plan, stateNow } = await startWaves([], { nodes: 2 });
  const server = runs.start();
  await until(() => runs.offers.length).toBe(2);
  await server.end(runs.offers[0] as SeenOffer, { outcome: "rolled_back" });
  expect(await stateNow()).toBe("running");
  expect(await listWaves(runs, plan, server.runner.countWaves(plan.id, 1))).toMatchObject({
    items: [{ kind: "rest", nodes: 2, state: "open", tasks: { rolled_back: 1, sent: 1 } }],
    halt: null,
  });
});
