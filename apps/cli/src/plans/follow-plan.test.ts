import type { LaterFinding } from "@gatehouse/command-line";
import { fault, type TaskStepName } from "@gatehouse/contract";
import type { Plan } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import { hosts, samplePlan } from "../../test/sample-plan.ts";
import { endedTask, sampleTask } from "../../test/sample-task.ts";
import { followPlan } from "./follow-plan.ts";
import type { SeenRun } from "./plan-run.ts";
import { identityOf } from "./read-plan.ts";

const [first, second] = hosts.map(({ name, id }) => `${name} (${id.slice(-8)})`);
const identity = identityOf(samplePlan().document);
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
  for await (const finding of followPlan({ identity, look, pause, now })) said.push(finding);
  return { said, pauses, left: left.length, lines: said.flatMap(({ lines }) => lines.map((line) => line.slice(10))) };
}

test("each change is told once, until every host has ended it", async () => {
  const { lines, pauses, said } = await follow(
    run("running", sampleTask(0, { state: "sent" }), sampleTask(1)),
    run("running", sampleTask(0, { state: "sent" }), sampleTask(1)),
    run("running", endedTask(0, "applied"), sampleTask(1, { state: "sent" })),
    run("done", endedTask(0, "applied"), endedTask(1, "applied")),
  );
  expect(lines).toEqual([
    `${first}  sent`,
    `${second}  queued`,
    `${first}  applied (the host's own word)`,
    `${second}  sent`,
    `${second}  applied (the host's own word)`,
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
    "The plan is done: 0 of 2 hosts applied it, 2 did not; some hosts found nothing wrong and cannot make such a change yet",
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
  const { lines } = await follow(away, away, run("done", endedTask(0, "applied"), endedTask(1, "applied")));
  expect(lines).toEqual([
    "The server does not answer: nobody listens",
    "The server answers again",
    `${first}  applied (the host's own word)`,
    `${second}  applied (the host's own word)`,
    "The plan is done: every host applied it",
  ]);
  await expect(follow(fault("plan.unknown", "gone"))).rejects.toMatchObject({ code: "plan.unknown" });
});

test("a host's steps are told as they come, and one that was missed is not made up", async () => {
  const step = (state: TaskStepName) =>
    ({ state: "sent", step: { state, at: "2026-11-17T05:00:00.000Z", armedAt: null } }) as const;
  const back = { code: "confirm.late", detail: "nobody answered", foreign: ["firewall:gatehouse_a"] };
  const { lines } = await follow(
    run("running", sampleTask(0, step("validated"))),
    run("running", sampleTask(0, step("armed"))),
    run("running", sampleTask(0, step("armed"))),
    run("running", sampleTask(0, step("checking"))),
    run("done", endedTask(0, "rolled_back", { detail: back })),
  );
  expect(lines).toEqual([
    `${first}  validated: the host has taken the change`,
    `${first}  armed: the host takes the change back by itself unless it is confirmed in time`,
    `${first}  checking: the host looks at the change and waits for a new connection to its server`,
    `${first}  rolled_back: confirm.late: nobody answered; somebody else had changed firewall:gatehouse_a (the host's own word)`,
    "the plan is done",
    "The plan is done: 0 of 2 hosts applied it, 2 did not",
  ]);
});

test("what a service said that fell stands below, line by line", async () => {
  const detail = "nginx.service: expected it to stay up, found it failed | unknown directive | Failed to start nginx.";
  const fallen = { code: "service.down", detail, foreign: [] };
  const { lines, said } = await follow(run("done", endedTask(0, "failed_after_change", { detail: fallen })));
  expect(lines.slice(0, 3)).toEqual([
    `${first}  failed_after_change: service.down: nginx.service: expected it to stay up, found it failed (the host's own word)`,
    "  unknown directive",
    "  Failed to start nginx.",
  ]);
  expect(said[0]?.json).not.toHaveProperty("lines");
});

test("what was read stands below, by the number of its operation, and why nothing could be", async () => {
  const told = [
    { operation: 1, lines: ["ready", "  listening"] },
    { operation: 2, lines: [], code: "path.symlink" },
  ];
  const { lines } = await follow(run("done", endedTask(0, "applied", { detail: { told } })));
  expect(lines.slice(0, 5)).toEqual([
    `${first}  applied (the host's own word)`,
    "  2. read 2 lines",
    "     ready",
    "       listening",
    "  3. could not be read: path.symlink",
  ]);
});

test("a plan that nobody has started is waited for, and that is said", async () => {
  const { lines } = await follow(
    run("in_review"),
    run("in_review"),
    run("approved"),
    run("running", sampleTask(0)),
    run("done", endedTask(0, "applied"), endedTask(1, "applied")),
  );
  const starts = "nobody has started it yet, and gatehouse plan apply 5d7skrbj does";
  expect(lines.slice(0, 4)).toEqual([
    `the plan is in_review: ${starts}`,
    `the plan is approved: ${starts}`,
    `${first}  queued`,
    "the plan is running",
  ]);
});

test("an end that the server claims and no host has signed is unproven, and it did not go well", async () => {
  const { lines, said } = await follow(run("done", endedTask(0, "applied"), sampleTask(1, { state: "applied" })));
  expect(lines).toEqual([
    `${first}  applied (the host's own word)`,
    `${second}  UNPROVEN: the server says applied, and the server shows nothing that the host has signed`,
    "The plan is done: 1 of 2 hosts applied it, 1 did not; UNPROVEN: 1, of which the server says what no host has signed",
  ]);
  expect(said.at(-1)?.ok).toBe(false);
  expect(said[1]?.json).toMatchObject({ change: "task", verdict: { word: "unproven" } });
});

test("a host that the server leaves out, or shows twice, is missed", async () => {
  const both = [run("done", endedTask(0, "applied")), run("done", endedTask(0, "applied"), endedTask(0, "applied"))];
  for (const seen of both) {
    const { lines, said } = await follow(seen);
    expect([lines.at(-1), said.at(-1)?.ok]).toEqual(["The plan is done: 1 of 2 hosts applied it, 1 did not", false]);
  }
});
