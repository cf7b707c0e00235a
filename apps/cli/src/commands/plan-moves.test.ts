import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import { answering } from "../../test/no-terminal.ts";
import { startPlanServer } from "../../test/plan-server.ts";
import { runJson, runLine } from "../../test/run-commands.ts";
import { samplePlan } from "../../test/sample-plan.ts";
import { sendJson, sendProblem } from "../../test/small-server.ts";
import { keepSession } from "../server/session-file.ts";

/** Lists, moves, the stop and the settings, as the CLI asks for them. */
const shown = samplePlan();
const { plan } = shown;
const at = `/api/plans/${plan.id}`;
const ada = {
  user: { id: "usr_ada", username: "ada", role: "owner" },
  credential: { kind: "session", id: "ses_1", expiresAt: "2026-11-17T16:00:00.000Z" },
  scopes: ["settings:admin"],
  nodes: null,
  authenticatedAt: "2026-11-17T04:00:00.000Z",
  position: 7,
};
const stopped = { at: "2026-11-17T05:00:00.000Z", by: "usr_ada", reason: "Hosts lose their network" };

test("plans are listed with what became of them; a stop is said above them", async () => {
  const { server, environment } = await startPlanServer();
  const { code, out } = await runLine("plan list --state in_review --limit 7", { environment });
  expect(code).toBe(0);
  expect(out).toMatch(/^1 plan at http:.*\n {2}digits +state +title +nodes +findings +author +expires\n/);
  expect(out).toMatch(/5d7skrbj +in_review +Write .*service +2 +none +usr_ada +2026-11-18T04:00:01Z\n$/);
  expect(server.received[0]?.path).toBe("/api/plans?state=in_review&limit=7");
  const halted = await startPlanServer(shown, {
    "GET /api/plans/stop": (response) => sendJson(response, 200, { stopped }),
  });
  expect((await runLine("plan list", halted)).out).toContain(
    "\n  All plans are stopped since 2026-11-17T05:00:00Z by usr_ada: Hosts lose their network\n",
  );
  expect(await runJson("plan list", halted)).toMatchObject({
    found: { items: [{ id: plan.id }], more: false, stopped },
  });
});

test.each([
  ["review 5d7skrbj", "review", "", "in_review", "is in_review."],
  ["withdraw 5d7skrbj", "withdrawal", "{}", "rejected", "is withdrawn."],
  ["withdraw 5d7skrbj --reason Wrong", "withdrawal", '{"reason":"Wrong"}', "rejected", "is withdrawn."],
  ["reject 5d7skrbj --reason No", "rejection", '{"reason":"No"}', "rejected", "is rejected."],
] as const)("plan %s moves the plan that was read, and no later one", async (line, path, body, state, says) => {
  const { server, environment } = await startPlanServer(shown, {
    [`POST ${at}/${path}`]: (response) => sendJson(response, 200, { ...plan, state }),
  });
  const { code, out } = await runLine(`plan ${line}`, { environment });
  expect([code, out]).toEqual([0, `${plan.title} (${plan.id}) ${says}\n`]);
  expect(server.received.at(-1)).toMatchObject({ path: `${at}/${path}`, headers: { "if-match": '"3"' }, body });
  expect(await runJson(`plan ${line}`, { environment })).toMatchObject({ found: { ok: true, plan: { state } } });
});

test("a move that the server refuses is exit code 1 with its code", async () => {
  const { environment } = await startPlanServer(shown, {
    [`POST ${at}/review`]: (response) => sendProblem(response, 409, "plan.lint_refused", { detail: "ssh is cut off" }),
  });
  const { code, err } = await runLine(`plan review ${plan.id}`, { environment });
  expect([code, err]).toEqual([1, expect.stringContaining("plan.lint_refused: ssh is cut off")]);
  expect((await runLine(`plan reject ${plan.id}`, { environment })).code).toBe(2);
});

test("all plans are stopped with a reason, and it is said who ends it", async () => {
  const { server, environment } = await startPlanServer(shown, {
    "PUT /api/plans/stop": (response) => sendJson(response, 200, { stopped }),
  });
  const { code, out } = await runLine("plan stop --reason Fire", { environment });
  expect([code, out]).toEqual([
    0,
    "All plans are stopped since 2026-11-17T05:00:00Z by usr_ada: Hosts lose their network\n  An owner ends it: `gatehouse settings set plans.stopped none`\n",
  ]);
  expect(server.received[0]?.body).toBe('{"reason":"Fire"}');
  expect((await runLine("plan stop", { environment })).code).toBe(2);
});

test("a token reads the settings and never changes them", async () => {
  const settings = { plans: { selfApproval: false, stopped } };
  const { server, environment } = await startPlanServer(shown, {
    "GET /api/settings": (response) => sendJson(response, 200, settings),
  });
  const { code, out } = await runLine("settings show", { environment });
  expect(code).toBe(0);
  expect(out).toMatch(/ plans\.selfApproval +false\n +plans\.stopped +All plans are stopped since /);
  expect(await runJson("settings show", { environment })).toMatchObject({ found: { ok: true, settings } });
  expect(await runJson("settings set plans.stopped none", { environment })).toMatchObject({
    code: 1,
    found: { error: { code: "auth.session_required" } },
  });
  expect(server.received.filter(({ method }) => method !== "GET")).toEqual([]);
});

test("a session that signed in long ago proves its password before a setting is changed", async () => {
  const home = await mkdtemp(`${tmpdir()}/gatehouse-home-`);
  onTestFinished(() => rm(home, { recursive: true }));
  let proved = false;
  const { server } = await startPlanServer(shown, {
    "PATCH /api/settings": (response) =>
      proved
        ? sendJson(response, 200, { plans: { selfApproval: true, stopped: null } })
        : sendProblem(response, 403, "auth.step_up_required"),
    "POST /api/auth/step-up": (response) => {
      proved = true;
      sendJson(response, 200, ada);
    },
  });
  const environment = { HOME: home };
  await keepSession(
    { environment },
    {
      server: server.url.origin,
      cookie: { name: "gatehouse", value: "v".repeat(43) },
      id: "ses_1",
      username: "ada",
      expiresAt: "2999-01-01T00:00:00.000Z",
    },
  );
  const terminal = answering("seven lazy otters");
  const { code, out, err } = await runLine("settings set plans.selfApproval true", { environment, terminal });
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(/ plans\.selfApproval +true\n +plans\.stopped +none\n$/);
  expect(terminal.questions).toHaveLength(1);
  expect(server.received.map(({ method, body }) => [method, body])).toEqual([
    ["PATCH", '{"plans":{"selfApproval":true}}'],
    ["POST", '{"password":"seven lazy otters"}'],
    ["PATCH", '{"plans":{"selfApproval":true}}'],
  ]);
  await runLine("settings set plans.stopped none", { environment });
  expect(server.received.at(-1)?.body).toBe('{"plans":{"stopped":null}}');
  for (const line of [
    "settings set plans.selfApproval yes",
    "settings set plans.stopped true",
    "settings set plans.other true",
    "settings set toString none",
    "settings set plans.stopped",
  ]) {
    expect((await runLine(line, { environment })).code, line).toBe(2);
  }
});
