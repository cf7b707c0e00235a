import { setTimeout as wait } from "node:timers/promises";
import { openTurns } from "@gatehouse/base";
import type { PlanTask } from "@gatehouse/contract/routes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lastRecordOn, tableMadeFrom, tableOn, untilEnded, untilNothingIsLeft } from "./change-on-host.ts";
import { type FaultRow, readFaultRows } from "./fault-rows.ts";
import { type Fault, faults, type FaultScene, makeFaulty } from "./faults.ts";
import { hold, holdable, release, untilHeld } from "./held-programs.ts";
import { firewallWith, labTable } from "./lab-firewalls.ts";
import {
  bringProgram,
  labProgram,
  labProgramEntry,
  makePublisher,
  programOf,
  programOn,
  programWith,
  type Publisher,
  replaceBy,
} from "./lab-programs.ts";
import { labPlace, placeOn, placeWith, restart, serviceOn, settingsOf } from "./lab-service.ts";
import { interfaceOf, interfaceOn, interfaceSaid, labInterfaceEntry, publicKeyOn } from "./lab-wireguard.ts";
import type { ManagedHost } from "./managed-host.ts";
import { type ApprovedHost, type ManagedLab, openManagedLab } from "./managed-lab.ts";
import { provenOutcome } from "./plan-desk.ts";

/**
 * A change of a firewall, an interface of WireGuard, two files, a program and a service, met by every fault at every step of its journal.
 * Whatever happens, the host is wholly as it was or wholly as the plan says, what it has signed is what is found on it, and nothing is left
 * behind. The rows are fixed in the short form; the long one draws more by its seed.
 */
const names = ["alpha", "beta", "gamma"] as const;
let lab: ManagedLab<(typeof names)[number]>;
const inTurn = openTurns();
/** The key of a peer that is nowhere. */
let stranger: string;
let acme: Publisher;

beforeAll(async () => {
  acme = await makePublisher();
  lab = await openManagedLab(names, { allow: [labInterfaceEntry, labProgramEntry], publishers: [acme.named] });
  for (const { host } of Object.values<ApprovedHost>(lab.hosts))
    await holdable(host, "/usr/sbin/nft", "/usr/bin/systemctl");
  stranger = (await lab.hosts.alpha.host.shell("wg genkey | wg pubkey")).trim();
  await makeFaulty(lab.hosts.beta);
  await makeFaulty(lab.hosts.gamma);
});
afterAll(async () => {
  await lab.close();
  await acme.remove();
});

const rows = readFaultRows().map((row, index) => ({ ...row, number: index + 1 }));
type NumberedRow = FaultRow & { readonly number: number };

/** Those that boot are alpha's; the others have small disks, and share the rest. */
function hostOf({ name, number }: NumberedRow): (typeof names)[number] {
  if (faults[name].boots) return "alpha";
  return number % 2 === 0 ? "beta" : "gamma";
}

/** All rows wait from the beginning for the turn of their host; what hangs in one of them says so itself. */
const timeout = 6 * 3_600_000;

describe.concurrent("a change is met by a fault", { timeout }, () => {
  test.for(rows)("$number: $afterMs ms after $step, $name", async (row) => {
    const host = hostOf(row);
    await inTurn([host], () => meet(row, lab.hosts[host]));
  });
});

/** All that the change is about, as the host has it. */
async function partsOf(host: ManagedHost) {
  return {
    table: await tableOn(host, labTable),
    link: await interfaceOn(host),
    place: await placeOn(host),
    program: await programOn(host),
  };
}

async function meet({ step, name, number, afterMs }: NumberedRow, on: ApprovedHost): Promise<void> {
  const began = performance.now();
  const fault: Fault = faults[name];
  const { host } = on;
  const extra = `${labPlace}/extra`;
  // Sometimes a program is replaced, and sometimes there was none.
  await host.shell(`rm -f ${extra} ${number % 3 === 0 ? labProgram : ""}`);
  // A setting with which the service does not start is what a change is taken back for.
  const settings = `${step === "restoring" ? "bad" : "good"} ${number}\n`;
  const firewall = firewallWith(9_300 + (number % 1_000));
  const peer = { label: "nobody", publicKey: stranger, allowedIps: [`10.78.${number % 250}.0/24`] };
  const tunnel = interfaceOf(1 + (number % 250), [peer], { listenPort: 52_000 + (number % 1_000) });
  const bytes = programOf(host, "sleep", String(number));
  const facts = await acme.sign(bytes);
  await bringProgram(lab.plans, facts, bytes);
  const files = [settingsOf(settings), settingsOf(`${number}\n`, extra), replaceBy(facts)];
  const operations = [firewall, tunnel, ...files, restart];
  const before = await partsOf(host);
  const after = {
    table: await tableMadeFrom(host, firewall),
    place: placeWith({ "echo.conf": settings, extra: `${number}\n` }),
  };
  const start = await lastRecordOn(host);
  const scene: FaultScene = { on, start };

  await hold(host, step);
  const rollbackWindow = fault.leavesWay ? 60 : 15;
  const plan = await lab.plans.begin(operations, on.node, on.approver, { rollbackWindow });
  await untilHeld(host, step, start);
  if (afterMs === 0) await fault.hit(scene);
  await release(host);
  if (afterMs > 0) {
    await wait(afterMs);
    await fault.hit(scene);
  }
  await fault.last?.(scene);
  if (fault.last !== undefined) await fault.heal?.(scene);
  const end = await untilEnded(host, start);
  if (fault.last === undefined) await fault.heal?.(scene);

  await untilNothingIsLeft(host);
  const found = await partsOf(host);
  if (end === "applied") {
    expect(found.table).toEqual(after.table);
    expect(found.place).toMatch(after.place);
    expect(found.program).toMatch(programWith(facts));
    expect(found.link).toEqual(interfaceSaid(tunnel, await publicKeyOn(host)));
  } else {
    expect(end).toMatch(/^(rolled_back|failed_before_change) /);
    expect(found, "the very files that they were").toEqual(before);
  }
  expect(await serviceOn(host)).toMatchObject({ active: "active" });
  await lab.reachAgain(on);
  const [task] = (await lab.plans.ended(plan)) as [PlanTask];
  const { outcome, detail } = provenOutcome(task.outcome ?? "", on.node.id);
  expect(`${outcome} ${detail.code}`.trimEnd()).toBe(end);
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  console.log(`${number}: ${afterMs} ms after ${step}, ${name}: ${end} (${host.name}, ${seconds} s)`);
}
