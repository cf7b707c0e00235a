import type { PlanTask } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import { startPlanServer } from "../../test/plan-server.ts";
import { runJson, runLine } from "../../test/run-commands.ts";
import { samplePlan } from "../../test/sample-plan.ts";
import { endedTask, sampleTask } from "../../test/sample-task.ts";
import { sendJson, sendProblem } from "../../test/small-server.ts";

/** Starting a plan and looking on, with a server whose hosts have answered already. */
const { plan } = samplePlan();
const at = `/api/plans/${plan.id}`;

function startRun(...tasks: readonly PlanTask[]) {
  const shown = samplePlan({ change: { state: "done" } });
  return startPlanServer(shown, {
    [`POST ${at}/apply`]: (response) => sendJson(response, 200, { ...shown.plan, state: "running" }),
    [`GET ${at}/tasks`]: (response) => sendJson(response, 200, { items: tasks, nextCursor: null }),
  });
}

test("a plan is started as it was read, and followed to its end", async () => {
  const { server, environment } = await startRun(endedTask(0, "applied"), endedTask(1, "applied"));
  const { code, out } = await runLine("plan apply 5d7skrbj", { environment });
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(
      / is running; .*\n.* applied \(the host's own word\)\n.* applied \(the host's own word\)\n.*every host applied it\n$/,
    ),
  ]);
  const [sent] = server.received.filter(({ method }) => method === "POST");
  expect(sent).toMatchObject({ path: `${at}/apply`, body: "", headers: { "if-match": '"3"' } });
});

test("hosts that refused it make the exit code 1, also for whoever only looks on", async () => {
  const refused = { state: "refused", code: "apply.absent", detail: null } as const;
  const { environment } = await startRun(sampleTask(0, refused), endedTask(1, "applied"));
  for (const verb of ["apply", "watch"]) {
    expect(await runLine(`plan ${verb} ${plan.id}`, { environment })).toMatchObject({
      code: 1,
      out: expect.stringMatching(
        /refused: apply\.absent\n.*\n.*1 of 2 hosts applied it, 1 did not; .*cannot make such a change yet\n$/,
      ),
    });
  }
  const { code, out } = await runLine(`plan watch ${plan.id} --json`, { environment });
  const lines = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
  expect(code).toBe(1);
  expect(lines).toMatchObject([
    { ok: true, plan: { id: plan.id } },
    { change: "task", task: { state: "refused" }, verdict: { word: "server" } },
    { change: "task", task: { state: "applied" }, verdict: { word: "host" } },
    { change: "end", ok: false },
  ]);
});

test("what the server refuses to start is told in its words", async () => {
  const { environment } = await startPlanServer(samplePlan(), {
    [`POST ${at}/apply`]: (response) => sendProblem(response, 409, "plan.not_approved"),
  });
  expect(await runJson(`plan apply ${plan.id}`, { environment })).toMatchObject({
    code: 1,
    found: { error: { code: "plan.not_approved" } },
  });
});

test("what became of an ended plan is shown for each host, with whose word it is", async () => {
  const back = endedTask(1, "rolled_back", { detail: { code: "confirm.late" } });
  const { environment } = await startRun(endedTask(0, "applied"), back);
  const { code, out } = await runLine(`plan show ${plan.id}`, { environment });
  expect([code, out]).toEqual([0, expect.stringMatching(/became +1 applied, 1 rolled_back\n/)]);
  expect(out).toMatch(/ became +applied \(the host's own word\)\n[^]* became +rolled_back: confirm\.late \(the host's/);
  expect(await runJson(`plan show ${plan.id}`, { environment })).toMatchObject({
    found: { unproven: 0, sections: [{ verdict: { word: "host" } }, { task: { state: "rolled_back" } }] },
  });
});

test("what was read on a host is shown below how it ended there, in the host's own name", async () => {
  const told = [{ operation: 0, lines: ["ready", "listening"] }];
  const { environment } = await startRun(endedTask(0, "applied", { detail: { told } }), endedTask(1, "applied"));
  const { out } = await runLine(`plan show ${plan.id}`, { environment });
  expect(out).toMatch(/ became +applied .*\n +told +1\. read 2 lines\n +ready\n +listening\n/);
  expect(await runJson(`plan show ${plan.id}`, { environment })).toMatchObject({
    found: { sections: [{ verdict: { told } }, { verdict: { told: [] } }] },
  });
});

test("an ended plan of which the server claims what no host has signed is shown loudly, with exit code 1", async () => {
  const { environment } = await startRun(sampleTask(0, { state: "applied" }));
  const { code, out } = await runLine(`plan show ${plan.id}`, { environment });
  expect([code, out]).toEqual([1, expect.stringMatching(/became +1 UNPROVEN, 1 not shown by the server\n/)]);
  expect(out).toContain("UNPROVEN: the server says applied, and the server shows nothing that the host has signed");
  expect((await runLine(`plan watch ${plan.id}`, { environment })).code).toBe(1);
});
