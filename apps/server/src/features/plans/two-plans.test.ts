import { describe, expect, test } from "vitest";
import { plansLimits } from "./limits.ts";
import { startOffered, until } from "./plan-run-cases.ts";

describe("a host that two plans have a task for", () => {
  /** The first plan's task is offered, the second one's is queued. */
  async function startBoth() {
    const started = await startOffered();
    const { runs, hosts, server } = started;
    runs.clock.advance(1);
    const other = (await runs.keepPlan({ of: hosts })).plan;
    server.runner.started(other.id);
    await until(async () => (await runs.tasksOf(other.id)).length).toBe(1);
    const [queued] = await runs.tasksOf(other.id);
    return { ...started, other, otherTask: queued?.id ?? "", node: hosts[0] ?? "" };
  }

  test("is offered the second when the first has ended, without a pause", async () => {
    const { runs, server, offer, otherTask } = await startBoth();
    offer.take();
    await server.end(offer);
    await until(() => runs.offers[1]?.task.task).toBe(otherTask);
    await server.runner.close();
  });

  test("is asked about the first again before it is offered the second, also by a server that was started again", async () => {
    const { runs, server, offer, otherTask } = await startBoth();
    offer.take();
    await server.runner.close();
    const second = runs.start();
    await until(() => runs.offers[1]?.task.task).toBe(offer.task.task);
    runs.offers[1]?.take();
    await second.end(offer);
    await until(() => runs.offers[2]?.task.task).toBe(otherTask);
    await second.runner.close();
  });

  test("is left alone with the second when a late word about the first comes", async () => {
    const { runs, server, offer, other, otherTask, node } = await startBoth();
    offer.lose();
    for (let offered = 2; offered <= plansLimits.offers; offered += 1) {
      await until(() => {
        server.arrive(node);
        return runs.offers.length;
      }).toBe(offered);
      runs.offers.at(-1)?.lose();
    }
    await until(() => {
      server.arrive(node);
      return runs.offers.at(-1)?.task.task;
    }).toBe(otherTask);
    runs.offers.at(-1)?.take();
    await until(() => runs.offers.length).toBe(plansLimits.offers + 1);
    await server.end(offer);
    server.arrive(node);
    server.look();
    await server.runner.close();
    expect(await runs.tasksOf(other.id)).toMatchObject([{ state: "sent" }]);
    expect(runs.offers).toHaveLength(plansLimits.offers + 1);
  });

  test("and that was busy until a moment ago is offered it at once", async () => {
    const { runs, server, offer, otherTask, node } = await startBoth();
    offer.lose();
    for (let offered = 2; offered <= plansLimits.offers; offered += 1) {
      await until(() => {
        server.arrive(node);
        return runs.offers.length;
      }).toBe(offered);
      runs.offers.at(-1)?.lose();
    }
    await until(() => {
      server.arrive(node);
      return runs.offers.at(-1)?.task.task;
    }).toBe(otherTask);
    await server.end(offer);
    runs.offers.at(-1)?.answer("slot.busy");
    await until(() => runs.offers.length).toBe(plansLimits.offers + 2);
    expect(runs.offers.at(-1)?.task.task).toBe(otherTask);
    await server.runner.close();
  });
});
