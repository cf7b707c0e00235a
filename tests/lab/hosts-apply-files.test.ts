import type { Plan, PlanTask } from "@gatehouse/contract/routes";
import type { Operation } from "@gatehouse/plan";
import { afterAll, beforeAll, expect, test } from "vitest";
import { journalOn, untilNothingIsLeft } from "./change-on-host.ts";
import { labService, labSettings, placeOn, placeWith, restart, serviceOn, settingsOf } from "./lab-service.ts";
import { type ApprovedHost, type ManagedLab, openManagedLab } from "./managed-lab.ts";
import { provenOutcome } from "./plan-desk.ts";

/** Files and services on a real host: made and kept, or taken back, whatever stops in between. */
let lab: ManagedLab<"alpha">;
let alpha: ApprovedHost;

beforeAll(async () => {
  lab = await openManagedLab(["alpha"]);
  ({ alpha } = lab.hosts);
});
afterAll(() => lab.close());

const begin = (operations: readonly Operation[]) => lab.plans.begin(operations, alpha.node, alpha.approver);

/** How the plan ended, by a word that the host has signed: outcome, code, and what it says besides. */
async function endOf(plan: Plan): Promise<{ readonly end: string; readonly detail: string }> {
  const [task] = (await lab.plans.ended(plan)) as [PlanTask];
  const { outcome, detail } = provenOutcome(task.outcome ?? "", alpha.node.id);
  return { end: `${outcome} ${detail.code}`.trimEnd(), detail: detail.detail };
}

test("a file is written and its service restarted, and nothing else is left of it", async () => {
  const { host } = alpha;
  const before = await serviceOn(host);
  const plan = await begin([settingsOf("good 2\n"), restart]);
  expect(await endOf(plan)).toMatchObject({ end: "applied" });
  expect(await placeOn(host)).toMatch(placeWith({ "echo.conf": "good 2\n" }));
  const after = await serviceOn(host);
  expect([after.active, after.start === before.start]).toEqual(["active", false]);
  await untilNothingIsLeft(host);
});

test("a file that was not there is made", async () => {
  const { host } = alpha;
  const plan = await begin([settingsOf("more\n", "/etc/lab/more")]);
  expect(await endOf(plan)).toMatchObject({ end: "applied" });
  expect(await host.read("/etc/lab/more")).toBe("more\n");
});

test("both are there after a restart, and after a power cut", async () => {
  const { host } = alpha;
  const kept = await placeOn(host);
  await host.restart();
  expect(await placeOn(host)).toBe(kept);
  await host.cutPower();
  expect(await placeOn(host)).toBe(kept);
  expect(await serviceOn(host)).toMatchObject({ active: "active" });
  await lab.desk.online(host);
});

test("settings with which the service does not start are taken back, and it runs again with those from before", async () => {
  const { host } = alpha;
  const before = await placeOn(host);
  const { end, detail } = await endOf(await begin([settingsOf("bad\n"), restart]));
  expect(end).toBe("rolled_back apply.failed");
  expect(detail).toContain("no good setting");
  expect(await placeOn(host), "the very file that it was").toBe(before);
  expect(await serviceOn(host)).toMatchObject({ active: "active" });
  await untilNothingIsLeft(host);
});

test("a service that stays down with all that was put back is told with the last that it said", async () => {
  const { host } = alpha;
  // Root has spoilt the settings since it was started: no restart of it can succeed.
  await host.write(labSettings, "spoilt\n");
  const before = await placeOn(host);
  const { end, detail } = await endOf(await begin([restart]));
  expect(end).toBe("failed_after_change service.down");
  expect(detail).toContain("no good setting");
  expect(await placeOn(host)).toBe(before);
  expect(await serviceOn(host)).not.toMatchObject({ active: "active" });
  await untilNothingIsLeft(host);
  await host.write(labSettings, "good 4\n");
  expect(await endOf(await begin([restart]))).toMatchObject({ end: "applied" });
  expect((await journalOn(host)).at(-1)).toMatchObject({ kind: "ended" });
});

test("what the service said after its restart comes back in the end that the host has signed", async () => {
  const { host } = alpha;
  const tail: Operation = { kind: "log.tail", source: { from: "journal", unit: labService }, lines: 50 };
  const plan = await begin([settingsOf("good 5\n"), restart, tail]);
  const [task] = (await lab.plans.ended(plan)) as [PlanTask];
  const { outcome, detail } = provenOutcome(task.outcome ?? "", alpha.node.id);
  expect([outcome, detail.code]).toEqual(["applied", ""]);
  expect(detail.told).toEqual([{ operation: 2, lines: expect.any(Array) }]);
  const lines = detail.told?.[0]?.lines ?? [];
  expect(lines.filter((line) => /^\d{4}-\d\d-\d\dT.* good 5$/.test(line))).toHaveLength(1);
  expect(lines.findIndex((line) => line.endsWith("good 5"))).toBeGreaterThan(
    lines.findIndex((line) => line.endsWith("good 4")),
  );
  expect(task.told, "as the server shows it").toEqual(detail.told);
  await untilNothingIsLeft(host);
});

test("a plan that only reads ends when the host has reached its server; what is not in the ceiling is refused", async () => {
  const read = (unit: string): Operation => ({ kind: "log.tail", source: { from: "journal", unit }, lines: 1 });
  const [task] = (await lab.plans.ended(await begin([read(labService)]))) as [PlanTask];
  expect(task).toMatchObject({ state: "applied", told: [{ operation: 0, lines: [expect.any(String)] }] });
  const [refused] = (await lab.plans.ended(await begin([read("ssh.service")]))) as [PlanTask];
  expect(refused).toMatchObject({ state: "refused", code: "ceiling.unit", told: [] });
});
