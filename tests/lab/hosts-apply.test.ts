import type { Plan, PlanTask } from "@gatehouse/contract/routes";
import type { FirewallApply } from "@gatehouse/plan";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agentUnit } from "./agent-on-host.ts";
import { journalOn, leftOn, tableMadeFrom, tableOn, untilEnded, untilNothingIsLeft } from "./change-on-host.ts";
import { bringDirectly, makeDirectTask } from "./direct-task.ts";
import { firewallWith, labTable } from "./lab-firewalls.ts";
import type { ManagedHost } from "./managed-host.ts";
import { type ApprovedHost, type ManagedLab, openManagedLab } from "./managed-lab.ts";
import { provenOutcome } from "./plan-desk.ts";

/** Firewalls on real hosts: made, proved, kept; and taken back whatever stops in between. nft on the host is the judge. */
let lab: ManagedLab<"alpha" | "beta">;
let alpha: ApprovedHost;
let beta: ApprovedHost;

beforeAll(async () => {
  lab = await openManagedLab(["alpha", "beta"]);
  ({ alpha, beta } = lab.hosts);
});
afterAll(() => lab.close());

/** A plan for one host, approved and begun. */
const begin = (on: ApprovedHost, operation: FirewallApply) => lab.plans.begin([operation], on.node, on.approver);

/** How the plan ended on its one host, by a word that the host has signed, and that its own journal bears out. */
async function provenEnd({ host, node }: ApprovedHost, plan: Plan): Promise<string> {
  const [task] = (await lab.plans.ended(plan)) as [PlanTask];
  const told = provenOutcome(task.outcome ?? "", node.id);
  const record = (await journalOn(host)).find(({ seq }) => seq === told.journalSeq);
  expect(told).toMatchObject({ task: task.id, index: 0, outcome: task.state });
  expect(Buffer.from(told.planDigest).toString("hex")).toBe(plan.digest);
  expect(Buffer.from(told.journalLink)).toEqual(Buffer.from(record?.link ?? []));
  expect(record).toMatchObject({ kind: "ended", task: task.id, data: { outcome: told.outcome, ...told.detail } });
  return `${told.outcome} ${told.detail.code}`.trimEnd();
}

/** A change that is made, and waits for a proof. */
async function leftWaiting(on: ApprovedHost, operation: FirewallApply, rollbackWindow: number): Promise<Plan> {
  const wanted = await tableMadeFrom(on.host, operation);
  const plan = await lab.beginUnproved(on, [operation], rollbackWindow);
  expect(await tableOn(on.host, labTable)).toEqual(wanted);
  return plan;
}

async function expectAsBefore({ host }: ApprovedHost, table: Awaited<ReturnType<typeof tableOn>>): Promise<void> {
  expect(await tableOn(host, labTable)).toEqual(table);
  await untilNothingIsLeft(host);
}

const wholeWay = "accepted snapshotted armed applying applied-op checking probe confirmed ended".split(" ");

describe("a firewall that its approver signed", () => {
  test("is made, proved over a new connection, and told of in the host's own signature", async () => {
    const { host } = alpha;
    expect(await tableOn(host, labTable)).toBeNull();
    const plan = await begin(alpha, firewallWith(8_080));
    expect(await provenEnd(alpha, plan)).toBe("applied");
    expect((await journalOn(host)).map(({ kind }) => kind)).toEqual(wholeWay);
    expect(await host.shell(`nft list table inet ${labTable}`)).toMatch(
      /policy drop;.*established.*tcp dport 22 accept comment "ssh".*tcp dport 8080 accept comment "service"/s,
    );
    await expectAsBefore(alpha, await tableMadeFrom(host, firewallWith(8_080)));
  });

  test("is replaced by the next one", async () => {
    const plan = await begin(alpha, firewallWith(8_081));
    expect(await provenEnd(alpha, plan)).toBe("applied");
    await expectAsBefore(alpha, await tableMadeFrom(alpha.host, firewallWith(8_081)));
  });

  test("is there again after a restart, and after a power cut", async () => {
    const kept = await tableOn(alpha.host, labTable);
    await alpha.host.restart();
    await expectAsBefore(alpha, kept);
    await alpha.host.cutPower();
    await expectAsBefore(alpha, kept);
    await lab.desk.online(alpha.host);
  });
});

describe("between the change and its proof", () => {
  test("no other change begins, root cannot take the ground away, and root can take the change back", async () => {
    const { host } = beta;
    const before = await tableOn(host, labTable);
    const plan = await leftWaiting(beta, firewallWith(8_084), 600);
    expect(await leftOn(host)).toEqual([
      expect.stringMatching(/^gatehouse-deadman\.service +loaded +inactive/),
      expect.stringMatching(/^gatehouse-deadman\.timer +loaded +active/),
      expect.stringMatching(/^task_/),
    ]);
    const other = await makeDirectTask(beta, firewallWith(8_085));
    expect(await bringDirectly(host, other)).toMatchObject({ ok: false, code: "slot.busy" });
    const set = await host.run("gatehouse-agent", "ceiling", "set", "monitor");
    expect(set.code).not.toBe(0);
    expect(`${set.stdout}${set.stderr}`).toContain("slot.busy");
    await host.shell("gatehouse-agent rollback");
    expect(await untilEnded(host)).toBe("rolled_back rollback.asked");
    await expectAsBefore(beta, before);
    await lab.reachAgain(beta);
    expect(await provenEnd(beta, plan)).toBe("rolled_back rollback.asked");
  });

  test.for([
    { name: "a power cut", end: (host: ManagedHost) => host.cutPower(), port: 8_086 },
    { name: "a restart of the host", end: (host: ManagedHost) => host.restart(), port: 8_087 },
  ])("$name brings back what was there, before the host has a network", async ({ end, port }) => {
    const { host } = alpha;
    const before = await tableOn(host, labTable);
    const plan = await leftWaiting(alpha, firewallWith(port), 600);
    await end(host);
    expect(await untilEnded(host)).toMatch(/^rolled_back /);
    await expectAsBefore(alpha, before);
    await expectBootFirst(host);
    await lab.reachAgain(alpha);
    expect(await provenEnd(alpha, plan)).toMatch(/^rolled_back /);
  });
});

/** What takes changes back at boot was over before anything of the network began. */
async function expectBootFirst(host: ManagedHost): Promise<void> {
  const show = async (unit: string, property: string) =>
    (await host.shell(`systemctl show ${unit} --property=${property} --value`)).trim();
  expect(await show("gatehouse-boot.service", "Result")).toBe("success");
  expect((await show("gatehouse-boot.service", "Before")).split(" ")).toContain("network-pre.target");
  const done = Number(await show("gatehouse-boot.service", "ExecMainExitTimestampMonotonic"));
  expect(done).toBeGreaterThan(0);
  expect(done).toBeLessThan(Number(await show(agentUnit, "ExecMainStartTimestampMonotonic")));
}
