import type { Node, Plan, PlanWaves } from "@gatehouse/contract/routes";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../support/until.ts";
import { journalOn, lastRecordOn, untilNothingIsLeft } from "./change-on-host.ts";
import { labService, labSettings, restart, settingsOf } from "./lab-service.ts";
import { type ApprovedHost, type ManagedLab, openManagedLab } from "./managed-lab.ts";
import { provenOutcome } from "./plan-desk.ts";

/** A plan in waves over real hosts: what a host signed opens the next wave, and nothing else does. */
const names = ["alpha", "beta", "gamma"] as const;
let lab: ManagedLab<(typeof names)[number]>;
let hosts: readonly ApprovedHost[];
/** In this order, whatever the order of the plan is. */
const waves = { tags: ["first", "second"] };

beforeAll(async () => {
  lab = await openManagedLab(names);
  const { alpha, beta, gamma } = lab.hosts;
  hosts = [alpha, beta, gamma];
  await lab.desk.tag(alpha.node, ["first"]);
  await lab.desk.tag(beta.node, ["second"]);
});
afterAll(() => lab.close());

const operations = (text: string) => [settingsOf(text), restart];
const planNow = ({ id }: Plan) => lab.plans.read<Plan>(`/api/plans/${id}`);
const settingsOn = () => Promise.all(hosts.map(({ host }) => host.read(labSettings)));

async function begin(text: string, run: object): Promise<Plan> {
  const nodes: Node[] = hosts.map(({ node }) => node);
  const plan = await lab.plans.makePlan(operations(text), ...nodes);
  await lab.plans.beginAll(plan, nodes, lab.hosts.alpha.approver, run);
  return plan;
}

test("a host begins when the ones before it have signed that they keep the change, also with a server that is killed meanwhile", async () => {
  const before = await Promise.all(hosts.map(({ host }) => lastRecordOn(host)));
  const plan = await begin("good wave\n", { waves });
  await until("the first host has begun", async () => (await lastRecordOn(lab.hosts.alpha.host)) > (before[0] ?? 0));
  await lab.front.restartServer("SIGKILL");
  const tasks = await lab.plans.ended(plan);
  expect(await settingsOn()).toEqual(["good wave\n", "good wave\n", "good wave\n"]);
  const spans = hosts.map(async ({ host, node }, at) => {
    const task = tasks.find((one) => one.node === node.id);
    const { outcome, at: ended } = provenOutcome(task?.outcome ?? "", node.id);
    const own = (await journalOn(host)).filter(({ seq }) => seq > (before[at] ?? 0));
    expect(
      own.filter(({ kind }) => kind === "accepted"),
      "it began once",
    ).toHaveLength(1);
    return { wave: task?.wave, outcome, begun: own[0]?.at ?? 0, ended };
  });
  const [first, second, third] = await Promise.all(spans);
  expect([first, second, third]).toMatchObject([0, 1, 2].map((wave) => ({ wave, outcome: "applied" })));
  expect(second?.begun).toBeGreaterThanOrEqual(first?.ended ?? Infinity);
  expect(third?.begun).toBeGreaterThanOrEqual(second?.ended ?? Infinity);
});

test("one that takes it back halts the plan, and no host behind it hears of it until somebody goes on", async () => {
  const { beta, gamma } = lab.hosts;
  // Its service does not run with what the others run with.
  const refuses = `[Service]\\nExecStartPre=/bin/sh -c '! grep other ${labSettings}'\\n`;
  await beta.host.shell(`mkdir -p /etc/systemd/system/${labService}.d && printf "${refuses}" \
    > /etc/systemd/system/${labService}.d/other.conf && systemctl daemon-reload`);
  const heard = await lastRecordOn(gamma.host);
  const plan = await begin("good other\n", { waves });
  await until("the plan is halted", async () => (await planNow(plan)).state === "halted");
  const reason = "1 of 1 hosts of wave 2 (tag second) have not kept the change: 1 rolled back";
  expect(await planNow(plan)).toMatchObject({ reason, movedBy: "system", waves: 3 });
  const { items } = await lab.plans.read<PlanWaves>(`/api/plans/${plan.id}/waves`);
  expect(items.map(({ state, tasks }) => [state, tasks])).toEqual([
    ["ended", { applied: 1 }],
    ["ended", { rolled_back: 1 }],
    ["shut", { queued: 1 }],
  ]);
  await lab.front.restartServer();
  await lab.desk.online(gamma.host);
  expect(await settingsOn()).toEqual(["good other\n", "good wave\n", "good wave\n"]);
  expect(await lastRecordOn(gamma.host)).toBe(heard);
  expect(await lab.plans.bring(plan, "apply")).toMatchObject({ status: 200, json: { state: "running" } });
  expect(await lab.plans.outcomesOf(plan)).toEqual({
    alpha: "applied null",
    beta: "rolled_back apply.failed",
    gamma: "applied null",
  });
  expect(await settingsOn()).toEqual(["good other\n", "good wave\n", "good other\n"]);
  for (const { host } of hosts) await untilNothingIsLeft(host);
});
