import { openTurns } from "@gatehouse/base";
import type { Plan, PlanTask } from "@gatehouse/contract/routes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { elfOf } from "../support/elf-program.ts";
import type { JournalKind } from "../../apps/agent/src/safety/journal-record.ts";
import { until } from "../support/until.ts";
import { helperUnit } from "./agent-on-host.ts";
import { journalOn, lastRecordOn, untilEnded } from "./change-on-host.ts";
import { bringDirectly, makeDirectTaskFrom } from "./direct-task.ts";
import { expectAgentOn } from "./expect-agent.ts";
import { hold, holdable, release, untilHeld } from "./held-programs.ts";
import { programOf, programOn, programWith } from "./lab-programs.ts";
import {
  agentProgram,
  type AgentUpdate,
  broughtRelease,
  openReleaseYard,
  releaseOf,
  type ReleaseYard,
} from "./lab-releases.ts";
import { type ApprovedHost, type ManagedLab, openManagedLab } from "./managed-lab.ts";
import { provenOutcome } from "./plan-desk.ts";

/**
 * The agent of real hosts, updated by plans: to a version that goes on by itself, and to some that cannot, after which the one before is
 * back by the host alone. Each host by itself, beside the others.
 */
const names = ["alpha", "beta", "gamma"] as const;
const [first, second, third] = ["9.0.1", "9.0.2", "9.0.3"] as const;
const inTurn = openTurns();
let lab: ManagedLab<(typeof names)[number]>;
let yard: ReleaseYard;

beforeAll(async () => {
  yard = await openReleaseYard();
  lab = await openManagedLab(names, { allow: ["agent.update"], agent: yard.agent(first) });
  for (const { host } of [lab.hosts.beta, lab.hosts.gamma]) await holdable(host, "/usr/bin/systemctl");
});
afterAll(async () => {
  await lab.close();
  await yard.remove();
});

const begin = ({ node, approver }: ApprovedHost, update: AgentUpdate, rollbackWindow = 60): Promise<Plan> =>
  lab.plans.begin([update], node, approver, { rollbackWindow });

const expectAgent = (on: ApprovedHost, version: string) => expectAgentOn(lab.desk, on.host, version);

/** How the plan ended, by a word that the host has signed. */
async function endOf({ node }: ApprovedHost, plan: Plan): Promise<string> {
  const [task] = (await lab.plans.ended(plan)) as [PlanTask];
  const { outcome, detail } = provenOutcome(task.outcome ?? "", node.id);
  return `${outcome} ${detail.code}: ${detail.detail}`;
}

/** Waits for its turn from the beginning; what hangs says so itself. */
const timeout = 3_600_000;

const onHost = (name: (typeof names)[number], work: (on: ApprovedHost) => Promise<void>) => () =>
  inTurn([name], () => work(lab.hosts[name]));

describe.concurrent("a release", { timeout }, () => {
  test(
    "takes the place of the agent, goes on with its own change, and takes later changes back",
    onHost("alpha", async (on) => {
      const update = await broughtRelease(lab.plans, yard.agent(second), second);
      const start = await lastRecordOn(on.host);
      expect(await endOf(on, await begin(on, update))).toMatch(/^applied /);
      expect(await programOn(on.host, agentProgram)).toMatch(programWith(update));
      await expectAgent(on, second);
      expect(await kindsSince(on, start)).toBe(
        "accepted snapshotted armed applying applied-op checking probe confirmed ended",
      );
    }),
  );

  test(
    "is followed by the next one, and is there after a restart",
    onHost("alpha", async (on) => {
      const update = await broughtRelease(lab.plans, yard.agent(third), third);
      expect(await endOf(on, await begin(on, update))).toMatch(/^applied /);
      await expectAgent(on, third);
      await on.host.restart();
      await expectAgent(on, third);
    }),
  );

  test(
    "that is earlier is never offered for approval, and is refused by the host itself",
    onHost("alpha", async (on) => {
      const before = await programOn(on.host, agentProgram);
      const back = await broughtRelease(lab.plans, yard.agent(second), second);
      expect(await lab.plans.makePlan([back], on.node)).toMatchObject({ state: "draft", findings: { refuse: 1 } });
      const installed = (await on.host.shell(`sha256sum < ${agentProgram}`)).slice(0, 64);
      const states = { "agent:self": { sha256: installed, version: third, architecture: process.arch } };
      const small = elfOf(back.architecture, 4_096);
      const made = { ...makeDirectTaskFrom(on, releaseOf(small, second), states), brought: [small] };
      expect(await bringDirectly(on.host, made)).toMatchObject({ ok: false, code: "artifact.downgrade" });
      expect(await programOn(on.host, agentProgram)).toBe(before);
    }),
  );

  test.for([
    ["does not start", () => elfOf(process.arch === "arm64" ? "arm64" : "x64", 4_096)],
    ["ends at once", ({ host }: ApprovedHost) => programOf(host, "false", "no agent")],
    ["hangs, and does not let itself be ended", () => yard.idle()],
  ] as const)("that %s is taken back by the dead-man alone, and the host is there again", async ([, make]) =>
    onHost("beta", async (on) => {
      const [before, start] = [await programOn(on.host, agentProgram), await lastRecordOn(on.host)];
      const plan = await begin(on, await broughtRelease(lab.plans, make(on), second), 10);
      expect(await untilEnded(on.host, start)).toBe("rolled_back confirm.late");
      expect(await programOn(on.host, agentProgram), "the very file").toBe(before);
      await expectAgent(on, first);
      expect(await endOf(on, plan)).toMatch(/^rolled_back confirm\.late/);
    })(),
  );

  test(
    "stays where the power is cut once it is confirmed",
    onHost("beta", async (on) => {
      const { host } = on;
      const start = await lastRecordOn(host);
      const plan = await beginHeld(on, await broughtRelease(lab.plans, yard.agent(second), second), "confirmed");
      await host.cutPower();
      expect(await untilEnded(host, start)).toBe("applied");
      await expectAgent(on, second);
      expect(await endOf(on, plan)).toMatch(/^applied /);
    }),
  );

  test(
    "with which the host reaches its server no more is taken back",
    onHost("gamma", async (on) => {
      const { host } = on;
      const [before, start] = [await programOn(host, agentProgram), await lastRecordOn(host)];
      const update = await broughtRelease(lab.plans, yard.agent(second), second);
      const plan = await beginHeld(on, update, "checking", 15);
      await host.loseServer();
      await release(host);
      expect(await untilEnded(host, start)).toBe("rolled_back confirm.late");
      expect(await kindsSince(on, start), "the new one has asked for a proof").toMatch(
        /checking probe restoring ended$/,
      );
      expect(await programOn(host, agentProgram)).toBe(before);
      await host.findServer();
      await expectAgent(on, first);
      expect(await endOf(on, plan)).toMatch(/^rolled_back confirm\.late/);
    }),
  );

  test(
    "is taken back by the boot after a power cut before it has shown that it works",
    onHost("gamma", async (on) => {
      const { host } = on;
      const [before, start] = [await programOn(host, agentProgram), await lastRecordOn(host)];
      const plan = await beginHeld(on, await broughtRelease(lab.plans, yard.idle(), second), "checking");
      expect(await programOn(host, agentProgram), "it is there, and nothing runs it").not.toBe(before);
      await host.cutPower();
      expect(await untilEnded(host, start)).toBe("rolled_back change.interrupted");
      expect(await programOn(host, agentProgram)).toBe(before);
      await expectAgent(on, first);
      expect(await endOf(on, plan)).toMatch(/^rolled_back change\.interrupted/);
    }),
  );

  test(
    "is taken back where the helper is killed while it is put in place, whatever the next helper is",
    onHost("gamma", async (on) => {
      const { host } = on;
      const [before, start] = [await programOn(host, agentProgram), await lastRecordOn(host)];
      const plan = await begin(on, await broughtRelease(lab.plans, yard.idle(), second), 10);
      const isApplying = async () =>
        (await journalOn(host)).some(({ seq, kind }) => seq > start && kind === "applying");
      await until(`${host.name} is applying`, isApplying, 1);
      await host.run("/usr/bin/systemctl.real", "kill", "--signal=KILL", helperUnit);
      expect(await untilEnded(host, start)).toMatch(/^rolled_back /);
      expect(await programOn(host, agentProgram)).toBe(before);
      await expectAgent(on, first);
      expect(await endOf(on, plan)).toMatch(/^rolled_back /);
    }),
  );

  test(
    "goes on also where the one before it was killed before it could hand over",
    onHost("gamma", async (on) => {
      const { host } = on;
      const plan = await beginHeld(on, await broughtRelease(lab.plans, yard.agent(second), second), "checking");
      await host.run("/usr/bin/systemctl.real", "kill", "--signal=KILL", helperUnit);
      await release(host);
      expect(await endOf(on, plan)).toMatch(/^applied /);
      await expectAgent(on, second);
    }),
  );
});

async function kindsSince({ host }: ApprovedHost, start: number): Promise<string> {
  const records = (await journalOn(host)).filter(({ seq }) => seq > start);
  return records.map(({ kind }) => kind).join(" ");
}

/** Begins an update that stands still at the first program that is started after such a record. */
async function beginHeld(on: ApprovedHost, update: AgentUpdate, step: JournalKind, rollbackWindow = 60): Promise<Plan> {
  const start = await lastRecordOn(on.host);
  await hold(on.host, step);
  const plan = await begin(on, update, rollbackWindow);
  await untilHeld(on.host, step, start);
  return plan;
}
