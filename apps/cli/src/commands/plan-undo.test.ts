import { expect, test } from "vitest";
import { startPlanServer } from "../../test/plan-server.ts";
import { runJson, runLine } from "../../test/run-commands.ts";
import { hosts, samplePlan } from "../../test/sample-plan.ts";
import { sendProblem } from "../../test/small-server.ts";

/** What the CLI sends to have a plan taken back, and what it shows of the plan that does. */
const undone = `plan_${"0".repeat(18)}9k2mxq4w`;
const shown = samplePlan({ change: { undoes: undone } });
const { plan } = shown;
const at = `/api/plans/${plan.id}`;

test("a plan is taken back on all hosts that kept it: what comes back is shown as plan show does, and names it", async () => {
  const { server, environment } = await startPlanServer(shown);
  const { code, out, err } = await runLine("plan undo 5d7skrbj", { environment });
  expect([code, err]).toEqual([0, ""]);
  const [sent, ...more] = server.received.filter(({ method }) => method === "POST");
  expect(more).toEqual([]);
  expect(sent).toMatchObject({
    path: `${at}/undo`,
    headers: { "idempotency-key": expect.stringMatching(/^[0-9a-f-]{36}$/) },
    body: "{}",
  });
  expect(out).toMatch(new RegExp(`^ *undoes +${undone}$`, "m"));
  expect(out).toBe((await runLine(`plan show ${plan.id}`, { environment })).out);
  expect(await runJson(`plan show ${plan.id}`, { environment })).toMatchObject({ found: { plan: { undoes: undone } } });
});

test("every option reaches the server", async () => {
  const { server, environment } = await startPlanServer(shown);
  const line = `plan undo ${plan.id} --node web-2,${hosts[0]?.id} --skip-offline --management 192.0.2.0/24 --expires-in-hours 2 --no-review`;
  expect(await runJson(line, { environment })).toMatchObject({ code: 0, found: { ok: true, plan: { id: plan.id } } });
  expect(JSON.parse(server.received.find(({ method }) => method === "POST")?.body ?? "")).toEqual({
    nodes: [...new Set([hosts.find(({ name }) => name === "web-2")?.id, hosts[0]?.id])],
    skipOffline: true,
    management: ["192.0.2.0/24"],
    expiresInHours: 2,
    review: false,
  });
});

test("a host without a way back is named with the reason, and with what to do on a command line", async () => {
  const { environment } = await startPlanServer(shown, {
    [`POST ${at}/undo`]: (response) =>
      sendProblem(response, 409, "plan.not_undoable", { detail: "web-1: operation 1: no plan removes one" }),
  });
  const { code, out, err } = await runLine("plan undo 5d7skrbj", { environment });
  expect([code, out]).toEqual([1, ""]);
  expect(err).toContain("gatehouse: plan.not_undoable: web-1: operation 1: no plan removes one\n");
  expect(err).toContain("with --node");
});

test.each([
  ["plan undo", 2],
  ["plan undo 5d7skrbj --expires-in-hours 0", 2],
  ["plan undo 5d7", 2],
])("%s is refused before anything is sent", async (line, expected) => {
  const { server, environment } = await startPlanServer(shown);
  expect((await runLine(line, { environment })).code).toBe(expected);
  expect(server.received).toEqual([]);
});
