import type { LaterFinding } from "@gatehouse/command-line";
import { fault } from "@gatehouse/contract";
import type { Plan } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import { hosts, samplePlan } from "../../test/sample-plan.ts";
import { sampleTask } from "../../test/sample-task.ts";
import { followPlan } from "./follow-plan.ts";
import type { SeenRun } from "./plan-run.ts";

const [first, second] = hosts.map(({ name, id }) => `${name} (${id.slice(-8)})`);
const now = () => Date.parse("2026-11-17T05:00:00.000Z");

function run(state: Plan["state"], ...tasks: SeenRun["tasks"]): SeenRun {
  return { plan: samplePlan({ change: { state } }).plan, tasks };
}

/** What is said about one sight after the other, without any time between them. */
async function follow(...sights: readonly (SeenRun | Error)[]) {
  const left = [...sights];
  let pauses = 0;
  const look = () => {
    const seen = left.shift();
    return seen === undefined || seen instanceof Error ? Promise.reject(seen) : Promise.resolve(seen);
  };
  const pause = () => Promise.resolve(void (pauses += 1));
  const said: LaterFinding[] = [];
  for await (const finding of followPlan({ look, pause, now })) said.push(finding);
  return { said, pauses, left: left.length, lines: said.flatMap(({ lines }) => lines.map((line) => line.slice(10))) };
}

test("each change is told once, until every host has ended it", async () => {
  const { lines, pauses, said } = await follow(
    run("running", sampleTask(0, { state: "sent" }), sampleTask(1)),
    run("running", sampleTask(0, { state: "sent" }), sampleTask(1)),
    run("running", sampleTask(0, { state: "applied" }), sampleTask(1, { state: "sent" })),
    run("done", sampleTask(0, { state: "applied" }), sampleTask(1, { state: "applied" })),
  );
  expect(lines).toEqual([
    `${first}  sent`,
    `${second}  queued`,
    `${first}  applied`,
    `${second}  sent`,
    `${second}  applied`,
    "the plan is done",
    "The plan is done: every host applied it",
  ]);
  expect(pauses).toBe(3);
  expect(said.at(-1)).toMatchObject({ ok: true, json: { change: "end", ok: true, at: "2026-11-17T05:00:00.000Z" } });
});

test("a host that refuses is told with its reason, and it did not go well", async () => {
  const refused = { state: "refused", code: "apply.absent", detail: "this agent makes no changes" } as const;
  const { lines, said, pauses } = await follow(run("done", sampleTask(0, refused), sampleTask(1, refused)));
  expect(lines).toEqual([
    `${first}  refused: apply.absent: this agent makes no changes`,
    `${second}  refused: apply.absent: this agent makes no changes`,
    "The plan is done: 0 of 2 hosts applied it, 2 did not; the agents of these hosts judge changes and do not make them yet: nothing was changed",
  ]);
  expect([said.at(-1)?.ok, pauses]).toEqual([false, 0]);
});

test("a plan that was halted is over when no host is in the middle of it", async () => {
  const { lines, said } = await follow(
    run("halted", sampleTask(0, { state: "checking" }), sampleTask(1)),
    run("halted", sampleTask(0, { state: "stale", code: "state.stale" }), sampleTask(1)),
  );
  expect(lines.slice(-2)).toEqual([
    `${first}  stale: state.stale`,
    "The plan is halted: 0 of 2 hosts applied it, 2 did not",
  ]);
  expect(said.at(-1)?.ok).toBe(false);
});

test("a server that is away for a while is waited for, and any other refusal ends it", async () => {
  const away = fault("cli.server_unreachable", "nobody listens");
  const { lines } = await follow(away, away, run("done", sampleTask(0, { state: "applied" })));
  expect(lines).toEqual([
    "The server does not answer: nobody listens",
    "The server answers again",
    `${first}  applied`,
    "The plan is done: every host applied it",
  ]);
  await expect(follow(fault("plan.unknown", "gone"))).rejects.toMatchObject({ code: "plan.unknown" });
});
