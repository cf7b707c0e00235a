import type { Plan } from "@gatehouse/contract/routes";
import type { Operation } from "@gatehouse/plan";
import { afterAll, beforeAll, expect, test } from "vitest";
import { untilNothingIsLeft } from "./change-on-host.ts";
import { firewallWith, labTable } from "./lab-firewalls.ts";
import {
  bringProgram,
  labProgram,
  labProgramEntry,
  makePublisher,
  programOf,
  type Publisher,
  replaceBy,
} from "./lab-programs.ts";
import { labPlace, labSettings, restart, serviceOn, settingsOf } from "./lab-service.ts";
import { interfaceOf, interfaceOn, labInterfaceEntry } from "./lab-wireguard.ts";
import { type ApprovedHost, type ManagedLab, openManagedLab } from "./managed-lab.ts";

/** An applied plan that is taken back by a plan, on a real host. */
let lab: ManagedLab<"alpha">;
let alpha: ApprovedHost;
let acme: Publisher;
let first: Plan;

beforeAll(async () => {
  acme = await makePublisher();
  lab = await openManagedLab(["alpha"], { allow: [labInterfaceEntry, labProgramEntry], publishers: [acme.named] });
  ({ alpha } = lab.hosts);
});
afterAll(async () => {
  await lab.close();
  await acme.remove();
});

const applied = { alpha: "applied null" };

/** Of every kind that can be taken back one, and the service that reads the file. */
async function allKinds(number: number): Promise<readonly Operation[]> {
  const peer = { label: "nobody", publicKey: Buffer.alloc(32, number).toString("base64") };
  const tunnel = interfaceOf(number, [{ ...peer, allowedIps: [`10.78.${number}.0/24`] }], { mtu: 1_300 + number });
  const bytes = programOf(alpha.host, "sleep", `tool ${number}`);
  const facts = await acme.sign(bytes);
  await bringProgram(lab.plans, facts, bytes);
  return [firewallWith(8_000 + number), tunnel, settingsOf(`good ${number}\n`), replaceBy(facts), restart];
}

/** The table as nft writes it, the interface as ip and wg do, and every file and the program with their rights, byte for byte. */
async function stateOfHost(): Promise<string> {
  const link = (await interfaceOn(alpha.host))?.join("\n");
  const table = await alpha.host.shell(`nft -s list table inet ${labTable}`);
  const files = `stat --format '%n %a %u:%g %s' "$file" && base64 --wrap 0 "$file"`;
  const all = `$(find . -type f | LC_ALL=C sort) ${labProgram}`;
  return `${link}\n${table}${await alpha.host.shell(`cd ${labPlace} && for file in ${all}; do ${files}; done`)}`;
}

test("a table, an interface, a file and a program are what they were before, byte for byte, and the service has read them", async () => {
  const { host, node, approver } = alpha;
  first = await lab.plans.begin(await allKinds(2), node, approver);
  expect(await lab.plans.outcomesOf(first)).toEqual(applied);
  await untilNothingIsLeft(host);
  const before = await stateOfHost();
  expect(before).toMatch(/mtu 1302.*10\.78\.2\.0\/24.* 8002 /s);

  const second = await lab.plans.begin(await allKinds(3), node, approver);
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
            expect.stringMatching(/^operation 2, network\.wireguard .*there was no such interface before/),
            expect.stringMatching(/^operation 3, file\.write .*expected an earlier plan that wrote the text/),
            "and 1 more operations",
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
