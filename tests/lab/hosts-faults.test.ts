import { setTimeout as wait } from "node:timers/promises";
import { openTurns } from "@gatehouse/base";
import type { Plan, PlanTask } from "@gatehouse/contract/routes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { helperUnit } from "./agent-on-host.ts";
import { expectAgentOn } from "./expect-agent.ts";
import { FaultedAgent } from "./faulted-agent.ts";
import {
  lastRecordOn,
  tableMadeFrom,
  tableOn,
  untilEnded,
  untilNothingIsLeft,
  untilReached,
} from "./change-on-host.ts";
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
import { agentProgram } from "./lab-releases.ts";
import { labPlace, placeOn, placeWith, restart, serviceOn, settingsOf } from "./lab-service.ts";
import { interfaceOf, interfaceOn, interfaceSaid, labInterfaceEntry, publicKeyOn } from "./lab-wireguard.ts";
import type { ManagedHost } from "./managed-host.ts";
import { type ApprovedHost, type ManagedLab, openManagedLab } from "./managed-lab.ts";
import { provenOutcome } from "./plan-desk.ts";

/**
 * A change of a firewall, an interface of WireGuard, two files, a program and a service, met by every fault at every step of its journal;
 * and in the long form one of the agent too, by every fault but a full disk.
 * Whatever happens, the host is wholly as it was or wholly as the plan says, what it has signed is what is found on it, and nothing is left
 * behind. The rows are fixed in the short form; the long one draws more by its seed.
 */
const names = ["alpha", "beta", "gamma"] as const;
let lab: ManagedLab<(typeof names)[number]>;
const inTurn = openTurns();
/** The key of a peer that is nowhere. */
let stranger: string;
let acme: Publisher;
let agent: FaultedAgent | undefined;

beforeAll(async () => {
  acme = await makePublisher();
  if (rows.some(({ change }) => change === "agent")) agent = await FaultedAgent.open();
  const allow = [labInterfaceEntry, labProgramEntry, ...(agent === undefined ? [] : ["agent.update"])];
  lab = await openManagedLab(names, { allow, publishers: [acme.named], ...agent?.first });
  for (const { host } of Object.values<ApprovedHost>(lab.hosts))
    await holdable(host, "/usr/sbin/nft", "/usr/bin/systemctl");
  stranger = (await lab.hosts.alpha.host.shell("wg genkey | wg pubkey")).trim();
  if (agent !== undefined) await lab.hosts.alpha.host.giveClock(helperUnit);
  await makeFaulty(lab.hosts.beta);
  await makeFaulty(lab.hosts.gamma);
});
afterAll(async () => {
  await lab.close();
  await acme.remove();
  await agent?.remove();
});

const rows = readFaultRows().map((row, index) => ({ ...row, number: index + 1 }));
type NumberedRow = FaultRow & { readonly number: number };

/** Those that boot are alpha's, and those of the agent; the others have small disks, and share the rest. */
function hostOf({ change, name, number }: NumberedRow): (typeof names)[number] {
  if (change === "agent" || faults[name].boots) return "alpha";
  return number % 2 === 0 ? "beta" : "gamma";
}

/** All rows wait from the beginning for the turn of their host; what hangs in one of them says so itself. */
const timeout = 6 * 3_600_000;

describe.concurrent("a change is met by a fault", { timeout }, () => {
  test.for(rows)("$number: $change, $afterMs ms after $step, $name", async (row) => {
    const host = hostOf(row);
    await inTurn([host], () => (row.change === "agent" ? meetAgent : meet)(row, lab.hosts[host]));
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
  const fault = faults[name];
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

  await hold(host, step);
  const rollbackWindow = fault.leavesWay ? 60 : 15;
  const plan = await lab.plans.begin(operations, on.node, on.approver, { rollbackWindow });
  await untilHeld(host, step, start);
  const end = await bear(fault, { on, start }, afterMs);

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
  expect(await endOf(plan, on)).toBe(end);
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  console.log(`${number}: parts, ${afterMs} ms after ${step}, ${name}: ${end} (${host.name}, ${seconds} s)`);
}

/** The same of the agent. Nothing is held: not every step of it starts a program. */
async function meetAgent({ step, name, number, afterMs }: NumberedRow, on: ApprovedHost): Promise<void> {
  if (agent === undefined) throw new Error("it is there where a row is of it");
  const began = performance.now();
  const { host } = on;
  const update = await agent.next(lab.plans, step === "restoring");
  const before = await programOn(host, agentProgram);
  const start = await lastRecordOn(host);
  const rollbackWindow = step === "restoring" ? 10 : faults[name].leavesWay ? 60 : 15;
  const plan = await lab.plans.begin([update], on.node, on.approver, { rollbackWindow });
  await untilReached(host, step, start);
  const end = await bear(faults[name], { on, start }, afterMs);

  await untilNothingIsLeft(host);
  const found = await programOn(host, agentProgram);
  if (end === "applied") {
    expect(found).toMatch(programWith(update));
    agent.isNow(update);
  } else {
    expect(end).toMatch(/^(rolled_back|failed_before_change) /);
    expect(found, "the very file that it was").toBe(before);
  }
  await lab.reachAgain(on);
  expect(await endOf(plan, on)).toBe(end);
  await expectAgentOn(lab.desk, host, agent.version);
  await agent.clear(lab.plans);
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  console.log(`${number}: agent, ${afterMs} ms after ${step}, ${name}: ${end} (${host.name}, ${seconds} s)`);
}

/** The fault, for as long as it lasts: how the change ends. */
async function bear(fault: Fault, scene: FaultScene, afterMs: number): Promise<string> {
  const { host } = scene.on;
  if (afterMs === 0) await fault.hit(scene);
  await release(host);
  if (afterMs > 0) {
    await wait(afterMs);
    await fault.hit(scene);
  }
  await fault.last?.(scene);
  if (fault.last !== undefined) await fault.heal?.(scene);
  const end = await untilEnded(host, scene.start);
  if (fault.last === undefined) await fault.heal?.(scene);
  return end;
}

/** By the word that the host has signed. */
async function endOf(plan: Plan, { node }: ApprovedHost): Promise<string> {
  const [task] = (await lab.plans.ended(plan)) as [PlanTask];
  const { outcome, detail } = provenOutcome(task.outcome ?? "", node.id);
  return `${outcome} ${detail.code}`.trimEnd();
}
