import type { Approval } from "@gatehouse/approval";
import type { Plan, PlanTask } from "@gatehouse/contract/routes";
import type { Operation } from "@gatehouse/plan";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { elfOf } from "../support/elf-program.ts";
import { lastRecordOn, untilEnded, untilNothingIsLeft } from "./change-on-host.ts";
import { bringDirectly, makeDirectTaskFrom } from "./direct-task.ts";
import {
  bringProgram,
  labProgram,
  labProgramEntry,
  labProgramService,
  makeProgramService,
  makePublisher,
  programOf,
  programOn,
  programWith,
  type Publisher,
  replaceBy,
} from "./lab-programs.ts";
import { serviceOn } from "./lab-service.ts";
import { type ApprovedHost, type ManagedLab, openManagedLab } from "./managed-lab.ts";
import { provenOutcome } from "./plan-desk.ts";

/** Programs on a real host: brought to its server, signed by a publisher that its root has named, kept, or taken back whatever happens. */
let lab: ManagedLab<"alpha">;
let alpha: ApprovedHost;
let acme: Publisher;
let other: Publisher;

beforeAll(async () => {
  [acme, other] = await Promise.all([makePublisher(), makePublisher("other")]);
  const allow = [labProgramEntry, "binary.replace:/opt/programs", `service.restart:${labProgramService}`];
  lab = await openManagedLab(["alpha"], { allow, publishers: [acme.named] });
  ({ alpha } = lab.hosts);
});
afterAll(async () => {
  await lab.close();
  await Promise.all([acme.remove(), other.remove()]);
});

const restart: Operation = { kind: "service.restart", unit: labProgramService };

/** Signs these bytes, brings them to the server, and says where they are to come. */
async function brought(bytes: Uint8Array, { path = labProgram, by = acme }: { path?: string; by?: Publisher } = {}) {
  const facts = await by.sign(bytes);
  await bringProgram(lab.plans, facts, bytes);
  return replaceBy(facts, path);
}

/** One that runs until it is ended. */
const tool = (version: string, size?: number) => programOf(alpha.host, "sleep", `tool ${version}`, size);

const begin = (operations: readonly Operation[], more: Partial<Approval> = {}) =>
  lab.plans.begin(operations, alpha.node, alpha.approver, more);

/** As a host tells of the program in its place, which everybody may read. */
async function stateOn(host: ApprovedHost["host"]) {
  const shown = await host.shell(`stat --format '%a %U %G' ${labProgram} && sha256sum < ${labProgram}`);
  const [mode = "", owner = "", group = "", sha256 = ""] = shown.split(/\s+/);
  return { sha256, mode: mode.padStart(4, "0"), owner, group };
}

/** How the plan ended, by a word that the host has signed. */
async function endOf(plan: Plan): Promise<{ readonly end: string; readonly detail: string }> {
  const [task] = (await lab.plans.ended(plan)) as [PlanTask];
  const { outcome, detail } = provenOutcome(task.outcome ?? "", alpha.node.id);
  return { end: `${outcome} ${detail.code}`.trimEnd(), detail: detail.detail };
}

/** Nothing of the change is left, and none of the bytes that came for it. */
async function untilAllIsAway(): Promise<void> {
  const { host } = alpha;
  await untilNothingIsLeft(host);
  expect(await host.shell("ls -A /var/lib/gatehouse/inbox")).toBe("");
  expect(await host.shell("find /usr/local/bin /opt/programs -name '*gatehouse*'")).toBe("");
}

test("a program that was not there comes with the usual rights, and runs", async () => {
  const { host } = alpha;
  const program = await brought(tool("1"));
  await host.shell("mkdir -p /opt/programs");
  expect(await endOf(await begin([program]))).toMatchObject({ end: "applied" });
  expect(await programOn(host)).toMatch(programWith(program));
  await makeProgramService(host);
  expect(await serviceOn(host, labProgramService)).toMatchObject({ active: "active" });
  await untilAllIsAway();
});

test("one that is there keeps its rights; who runs the old one goes on with it until the plan restarts it", async () => {
  const { host } = alpha;
  await host.shell(`chgrp daemon ${labProgram} && chmod 750 ${labProgram}`);
  const before = await serviceOn(host, labProgramService);
  const [second, third] = [await brought(tool("2")), await brought(tool("3"))];
  expect(await endOf(await begin([second]))).toMatchObject({ end: "applied" });
  expect(await programOn(host)).toMatch(programWith(second, "750 0:1"));
  expect(await serviceOn(host, labProgramService), "the same start of it").toEqual(before);
  expect(await endOf(await begin([third, restart]))).toMatchObject({ end: "applied" });
  expect(await programOn(host)).toMatch(programWith(third, "750 0:1"));
  const after = await serviceOn(host, labProgramService);
  expect([after.active, after.start === before.start]).toEqual(["active", false]);
  await untilAllIsAway();
});

test("it is there with its rights after a restart, and after a power cut", async () => {
  const { host } = alpha;
  const kept = await programOn(host);
  await host.restart();
  expect(await programOn(host)).toBe(kept);
  await host.cutPower();
  expect(await programOn(host)).toBe(kept);
  expect(await serviceOn(host, labProgramService)).toMatchObject({ active: "active" });
  await lab.desk.online(host);
});

test("a program of 40 MiB comes in pieces, whole", async () => {
  const { host } = alpha;
  const program = await brought(tool("large", 40 * 1024 * 1024), { path: "/opt/programs/large" });
  expect(program.size).toBe(40 * 1024 * 1024);
  expect(await endOf(await begin([program]))).toMatchObject({ end: "applied" });
  expect(await programOn(host, program.path)).toMatch(programWith(program));
  expect(await host.run(program.path, "0"), "and it runs").toMatchObject({ code: 0 });
  await untilAllIsAway();
});

describe("is taken back to the very file, which runs again:", () => {
  test.for([
    ["does not start", () => elfOf(process.arch === "arm64" ? "arm64" : "x64", 4_096)],
    ["ends at once", () => programOf(alpha.host, "false", "no tool")],
  ] as const)("a program that %s", async ([, make]) => {
    const { host } = alpha;
    const before = await programOn(host);
    const { end, detail } = await endOf(await begin([await brought(make()), restart]));
    expect(end, detail).toBe("rolled_back apply.failed");
    expect(await programOn(host)).toBe(before);
    expect(await serviceOn(host, labProgramService)).toMatchObject({ active: "active" });
    await untilAllIsAway();
  });

  test("a program with which the host reaches its server no more", async () => {
    const { host } = alpha;
    const [before, start] = [await programOn(host), await lastRecordOn(host)];
    const program = await brought(tool("4"));
    const plan = await lab.beginUnproved(alpha, [program, restart], 15);
    expect(await programOn(host)).toMatch(programWith(program, "750 0:1"));
    expect(await untilEnded(host, start)).toBe("rolled_back confirm.late");
    expect(await programOn(host)).toBe(before);
    expect(await serviceOn(host, labProgramService)).toMatchObject({ active: "active" });
    await untilAllIsAway();
    await lab.reachAgain(alpha);
    expect(await endOf(plan)).toMatchObject({ end: "rolled_back confirm.late" });
  });
});

test("a program of which half had come when the power was cut comes anew, and nothing of the half is left", async () => {
  const { host } = alpha;
  // Of one that others may not read the host would tell no digest.
  await host.shell(`chmod 755 ${labProgram}`);
  const [before, start] = [await programOn(host), await lastRecordOn(host)];
  const [subject, bytes] = [`binary:${labProgram}`, tool("5", 1024 * 1024)];
  const states = { [subject]: await stateOn(host) };
  const program = replaceBy(await acme.sign(bytes));
  const made = { ...makeDirectTaskFrom(alpha, program, states), brought: [bytes] };
  await bringDirectly(host, made, (offset) => offset < bytes.byteLength / 2);
  expect(await host.shell("ls /var/lib/gatehouse/inbox")).toBe(`${program.sha256}\n`);
  await host.cutPower();
  expect(await programOn(host)).toBe(before);
  await lab.desk.online(host);
  expect(await bringDirectly(host, made)).toMatchObject({ taken: true });
  expect(await untilEnded(host, start)).toBe("applied");
  expect(await programOn(host)).toMatch(programWith(program, "755 0:1"));
  await untilAllIsAway();
});

test.for([
  ["of a publisher whom its root has not named", "artifact.publisher", "/opt/programs/tool", () => other],
  ["of another publisher than that of its path", "ceiling.publisher", labProgram, () => other],
  ["for a path that is not in its ceiling", "ceiling.path", "/usr/local/bin/other", () => acme],
] as const)("the host refuses a program %s", async ([, code, path, by]) => {
  const { host } = alpha;
  const before = await programOn(host, path);
  // Nobody is told what is there, where the ceiling does not name it.
  if (code === "ceiling.path") {
    const operations = [await brought(tool("6"), { path, by: by() })];
    await expect(lab.plans.makePlan(operations, alpha.node)).rejects.toThrow("read.ceiling");
  } else {
    const plan = await begin([await brought(tool(`by ${by().id}`), { path, by: by() })]);
    expect(await lab.plans.outcomesOf(plan)).toEqual({ alpha: `refused ${code}` });
  }
  expect(await programOn(host, path)).toBe(before);
});
