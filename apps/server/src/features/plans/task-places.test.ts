import { expect, test } from "vitest";
import { plansLimits } from "./limits.ts";
import { setUpRuns, until } from "./plan-run-cases.ts";

const artifacts = ["0".repeat(64)];
const slow = 2 * plansLimits.artifactTasksAtOnce;

/** A plan with artifacts whose hosts are all here and answer nothing, as ones do that fetch for hours. */
async function startSlow() {
  const runs = setUpRuns();
  const { hosts } = await runs.keepPlan({ nodes: slow, artifacts });
  for (const host of hosts) runs.here.add(host);
  const server = runs.start();
  await until(() => runs.offers.length).toBe(plansLimits.artifactTasksAtOnce);
  return { runs, hosts, server };
}

test("hosts that fetch artifacts for hours stop no plan that brings none", async () => {
  const { runs, server } = await startSlow();
  runs.clock.advance(1);
  const nodes = plansLimits.tasksAtOnce + 1;
  const other = await runs.keepPlan({ nodes });
  for (const host of other.hosts) runs.here.add(host);
  server.runner.started(other.plan.id);
  const offered = () => runs.offers.filter(({ node }) => other.hosts.includes(node));
  await until(() => offered().length).toBe(plansLimits.tasksAtOnce);
  offered()[0]?.answer("state.stale");
  await until(() => offered().length).toBe(nodes);
  expect(runs.offers).toHaveLength(plansLimits.artifactTasksAtOnce + nodes);
  for (const offer of offered()) offer.answer("state.stale");
  await until(async () => (await runs.planNow(other.plan.id))?.state).toBe("done");
  await server.runner.close();
});

test("a place for artifacts that is free again is taken by the next host", async () => {
  const { runs, server } = await startSlow();
  for (let ended = 1; ended <= slow; ended += 1) {
    runs.offers[ended - 1]?.answer("state.stale");
    await until(() => runs.offers.length).toBe(Math.min(slow, plansLimits.artifactTasksAtOnce + ended));
  }
  await server.runner.close();
});

test("a host that is brought a plan without artifacts gets one with them when that has ended", async () => {
  const runs = setUpRuns();
  const { hosts } = await runs.keepPlan();
  runs.here.add(hosts[0] ?? "");
  const server = runs.start();
  await until(() => runs.offers.length).toBe(1);
  runs.clock.advance(1);
  const other = await runs.keepPlan({ of: hosts, artifacts });
  server.runner.started(other.plan.id);
  await until(async () => (await runs.tasksOf(other.plan.id)).length).toBe(1);
  const [task] = await runs.tasksOf(other.plan.id);
  runs.offers[0]?.answer("state.stale");
  await until(() => runs.offers[1]?.task.task).toBe(task?.id);
  await server.runner.close();
});
