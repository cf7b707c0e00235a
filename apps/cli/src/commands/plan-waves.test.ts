import type { PlanWave } from "@gatehouse/contract/routes";
import { describe, expect, test } from "vitest";
import { startPlanServer } from "../../test/plan-server.ts";
import { runJson, runLine } from "../../test/run-commands.ts";
import { samplePlan } from "../../test/sample-plan.ts";
import { endedTask, sampleTask } from "../../test/sample-task.ts";
import { sendJson, sendProblem } from "../../test/small-server.ts";

const { plan } = samplePlan();
const at = `/api/plans/${plan.id}`;
const wave = (index: number, more: Partial<PlanWave>): PlanWave => ({
  index,
  kind: "rest",
  tag: null,
  nodes: 1,
  state: "shut",
  tasks: { queued: 1 },
  ...more,
});
const ended = wave(0, { kind: "canary", state: "ended", tasks: { rolled_back: 1 } });
const reason = "1 of 1 hosts of wave 1 have not kept the change: 1 rolled back";

/** A plan in two waves that was halted in the first. */
function startHalted() {
  const shown = samplePlan({ change: { state: "halted", waves: 2, reason } });
  const tasks = [endedTask(0, "rolled_back"), sampleTask(1, { wave: 1 })];
  return startPlanServer(shown, {
    [`POST ${at}/apply`]: (response) => sendJson(response, 200, { ...shown.plan, state: "running" }),
    [`POST ${at}/halt`]: (response) => sendJson(response, 200, shown.plan),
    [`GET ${at}/tasks`]: (response) => sendJson(response, 200, { items: tasks, nextCursor: null }),
    [`GET ${at}/waves`]: (response) => sendJson(response, 200, { items: [ended, wave(1, {})], halt: { after: 1 } }),
  });
}

describe("a plan that is started in waves", () => {
  test.for([
    ["--canary 1", { waves: { canary: 1 } }],
    ["--wave staging,web --wave db --wave-size 50", { waves: { tags: ["staging", "web", "db"], size: 50 } }],
    ["--wave-size 50 --halt-at 10", { waves: { size: 50 }, halt: { percent: 10 } }],
    ["--halt-after 3", { halt: { after: 3 } }],
  ])("asks for %s", async ([options, body]) => {
    const { server, environment } = await startHalted();
    await runLine(`plan apply 5d7skrbj ${options as string}`, { environment });
    const [sent] = server.received.filter(({ method }) => method === "POST");
    expect(JSON.parse(sent?.body ?? "")).toEqual(body);
  });

  test("is followed wave by wave, until it is said why it was halted", async () => {
    const { environment } = await startHalted();
    const { code, out } = await runLine("plan apply 5d7skrbj --canary 1", { environment });
    expect(code).toBe(1);
    expect(out).toMatch(/ wave 1 of 2 \(canary, 1 host\) has ended: 1 rolled_back\n/);
    expect(out).not.toContain("wave 2 of 2");
    expect(out).toContain(`The plan is halted: ${reason}; 0 of 2 hosts applied it, 2 did not\n`);
    const lines = (await runLine(`plan watch ${plan.id} --json`, { environment })).out.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({ change: "wave", wave: ended }),
    );
  });

  test("is shown with its waves and when it halts", async () => {
    const { environment } = await startHalted();
    const { out } = await runLine("plan show 5d7skrbj", { environment });
    expect(out).toMatch(
      / waves +wave 1 of 2 \(canary, 1 host\) has ended: 1 rolled_back\n +wave 2 of 2 \(1 host\) is shut\n/,
    );
    expect(out).toMatch(/\n +halts by itself when 1 host of a wave has not kept the change\n/);
    const { found } = await runJson("plan show 5d7skrbj", { environment });
    expect(found).toMatchObject({ waves: { items: [{ state: "ended" }, { state: "shut" }], halt: { after: 1 } } });
  });

  test.for([
    ["--canary 0", /--canary must be a whole number from 1 to 100; found "0"/],
    ["--wave-size many", /--wave-size must be a whole number from 1 to 10000; found "many"/],
    ["--halt-at 101", /--halt-at must be a whole number from 1 to 100; found "101"/],
    ["--halt-after 1 --halt-at 1", /--halt-after and --halt-at both say when it halts; write one of them/],
  ] as const)("is refused with %s before anything is asked of the server", async ([options, words]) => {
    const { server, environment } = await startHalted();
    const { code, err } = await runLine(`plan apply 5d7skrbj ${options}`, { environment });
    expect([code, err]).toEqual([2, expect.stringMatching(words)]);
    expect(server.received).toEqual([]);
  });
});

describe("a plan that is halted by hand", () => {
  test("is told with its reason", async () => {
    const { server, environment } = await startHalted();
    const { code, out } = await runLine("plan halt 5d7skrbj --reason slowly", { environment });
    expect([code, out]).toEqual([0, `${plan.title} (${plan.id}) is halted: ${reason}\n`]);
    const [sent] = server.received.filter(({ method }) => method === "POST");
    expect(JSON.parse(sent?.body ?? "")).toEqual({ reason: "slowly" });
  });

  test("is refused by a server in which it does not run", async () => {
    const { environment } = await startPlanServer(samplePlan(), {
      [`POST ${at}/halt`]: (response) => sendProblem(response, 409, "plan.move_refused"),
    });
    expect(await runJson("plan halt 5d7skrbj --reason so", { environment })).toMatchObject({
      code: 1,
      found: { error: { code: "plan.move_refused" } },
    });
  });
});
