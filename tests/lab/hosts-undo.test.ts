import type { Plan } from "@gatehouse/contract/routes";
import { afterAll, beforeAll, expect, test } from "vitest";
import { untilNothingIsLeft } from "./change-on-host.ts";
import { firewallWith, labTable } from "./lab-firewalls.ts";
import { labPlace, labSettings, restart, serviceOn, settingsOf } from "./lab-service.ts";
import { type ApprovedHost, type ManagedLab, openManagedLab } from "./managed-lab.ts";

/** An applied plan that is taken back by a plan, on a real host. */
let lab: ManagedLab<"alpha">;
let alpha: ApprovedHost;
let first: Plan;

beforeAll(async () => {
  lab = await openManagedLab(["alpha"]);
  ({ alpha } = lab.hosts);
});
afterAll(() => lab.close());

const applied = { alpha: "applied null" };

/** The table as nft writes it, and every file of the directory with its rights, byte for byte. */
async function stateOfHost(): Promise<string> {
  const table = await alpha.host.shell(`nft -s list table inet ${labTable}`);
  const files = `stat --format '%n %a %u:%g %s' "$file" && base64 --wrap 0 "$file"`;
  return `${table}${await alpha.host.shell(`cd ${labPlace} && for file in $(find . -type f | LC_ALL=C sort); do ${files}; done`)}`;
}

test("a table and a file are what they were before, byte for byte, and the service has read them", async () => {
  const { host, node, approver } = alpha;
  first = await lab.plans.begin([firewallWith(8_080), settingsOf("good 2\n"), restart], node, approver);
  expect(await lab.plans.outcomesOf(first)).toEqual(applied);
  await untilNothingIsLeft(host);
  const before = await stateOfHost();
  expect(before).toContain("8080");

  const second = await lab.plans.begin([firewallWith(9_090), settingsOf("good 3\n"), restart], node, approver);
  expect(await lab.plans.outcomesOf(second)).toEqual(applied);
  await untilNothingIsLeft(host);
  const between = await serviceOn(host);
  expect(await stateOfHost()).not.toBe(before);

  const { json, status, text } = await lab.plans.undo(second);
  expect(status, text).toBe(201);
  const back = json as Plan;
  expect(back).toMatchObject({ undoes: second.id, title: "Undo: Lab" });
  expect(await stateOfHost(), "a plan changes nothing before it is applied").not.toBe(before);
  await lab.plans.beginAll(back, [node], approver);
  expect(await lab.plans.outcomesOf(back)).toEqual(applied);
  await untilNothingIsLeft(host);
  expect(await stateOfHost()).toBe(before);
  const after = await serviceOn(host);
  expect([after.active, after.start === between.start]).toEqual(["active", false]);
});

test("where nothing was before, or a text that no plan wrote, there is no way back, and the host stays as it is", async () => {
  const { host, node, approver } = alpha;
  const before = await stateOfHost();
  const { json, status } = await lab.plans.undo(first);
  expect([status, json]).toMatchObject([
    409,
    {
      code: "plan.not_undoable",
      nodes: [
        {
          name: "alpha",
          why: [
            expect.stringMatching(/^operation 1, firewall\.apply .*there was no such table before/),
            expect.stringMatching(/^operation 2, file\.write .*expected an earlier plan that wrote the text/),
          ],
        },
      ],
    },
  ]);
  expect(await stateOfHost()).toBe(before);

  const fresh = await lab.plans.begin([settingsOf("new\n", `${labPlace}/fresh`)], node, approver);
  expect(await lab.plans.outcomesOf(fresh)).toEqual(applied);
  const { json: refused } = await lab.plans.undo(fresh);
  expect(refused).toMatchObject({
    code: "plan.not_undoable",
    detail: expect.stringContaining(`file.write ${labPlace}/fresh: expected something to put back`),
  });
  expect(await host.read(`${labPlace}/fresh`)).toBe("new\n");
  expect(await host.read(labSettings)).toBe("good 2\n");
  await untilNothingIsLeft(host);
});
