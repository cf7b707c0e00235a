import type { Scope } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { call, enter, newPerson, newToken, readAudit } from "./support/people.ts";
import { askForPlan, move, newPlan, plannedHost, restartNginx, shownPlan, tasksOf } from "./support/plans.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/** Nezha: a rule referred to a thing of somebody else, and what its author could not touch was touched when the rule ran. */
const server = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1" } });
const { port } = server;

test("a token for one node does nothing with a plan, be it for that node alone", async (context) => {
  const owner = await enter(port);
  const [own, foreign] = [
    await plannedHost(port, owner, { name: "own" }),
    await plannedHost(port, owner, { name: "foreign" }),
  ];
  const plan = await newPlan(port, owner.as, { ...restartNginx, nodes: [own.nodeId, foreign.nodeId] });
  const scopes: readonly Scope[] = ["plan:read", "plan:create", "plan:apply"];
  const token = await newToken(port, owner, scopes, [own.nodeId]);
  const deeds = ["review", "withdrawal", "apply"].map((deed) => ["POST", `/api/plans/${plan.id}/${deed}`] as const);
  const reads = ["", "/document", "/sections", "/approvals", "/tasks", "/question"].map(
    (part) => ["GET", `/api/plans/${plan.id}${part}`] as const,
  );
  for (const [method, path] of [...deeds, ...reads, ["GET", "/api/plans"] as const]) {
    const answer = await call(port, method, path, { as: token.as, headers: [["If-Match", '"1"']] });
    expect(answer.code, `${method} ${path}`).toBe("auth.node_limited");
  }
  for (const about of [{ nodes: [own.nodeId] }, { nodes: [foreign.nodeId] }, { tags: ["edge"] }]) {
    expect((await askForPlan(port, token.as, { ...restartNginx, ...about })).code).toBe("auth.node_limited");
  }
  expect((await shownPlan(port, owner.as, plan.id)).state).toBe("in_review");
  tried(context, count(deeds.length + reads.length + 4, "calls"));
});

test("nobody ends another's plan by making one in its place", async (context) => {
  const owner = await enter(port);
  const { nodeId } = await plannedHost(port, owner);
  const operator = await newPerson(port, owner, "operator", "of-another-plan");
  const automation = await newToken(port, operator, ["plan:read", "plan:create"]);
  const plan = await newPlan(port, owner.as, { ...restartNginx, nodes: [nodeId] });
  const callers = [operator.as, automation.as];
  for (const as of callers) {
    const made = await askForPlan(port, as, { ...restartNginx, nodes: [nodeId], replaces: plan.id });
    expect([made.status, made.code]).toEqual([403, "plan.not_own"]);
  }
  expect((await shownPlan(port, owner.as, plan.id)).state).toBe("in_review");
  tried(context, count(callers.length, "callers"));
});

test("a host that was revoked after the approval is sent nothing when the plan is applied", async (context) => {
  const owner = await enter(port);
  const author = await newPerson(port, owner, "operator", "of-a-revoked-host");
  const [gone, stays] = [
    await plannedHost(port, owner, { name: "gone" }),
    await plannedHost(port, owner, { name: "stays" }),
  ];
  const plan = await newPlan(port, author.as, { ...restartNginx, nodes: [gone.nodeId, stays.nodeId] });
  expect((await move(port, owner.as, plan.id, { deed: "approvals", body: { server: true } })).body.state).toBe(
    "approved",
  );
  const { raw } = await call(port, "GET", `/api/nodes/${gone.nodeId}`, { as: owner.as });
  const headers = [["If-Match", raw.headers.get("etag") ?? ""]] as const;
  const revoked = await call(port, "PATCH", `/api/nodes/${gone.nodeId}`, {
    as: owner.as,
    headers,
    body: { revoked: true },
  });
  expect(revoked.status).toBe(200);
  expect((await move(port, owner.as, plan.id, { deed: "apply" })).status).toBe(200);
  const task = await stays.nextTask();
  expect(task.planDigest).toBe(plan.digest);
  const states = async () =>
    (await tasksOf(port, owner.as, plan.id)).map(({ node, state }) => [node === gone.nodeId ? "gone" : "stays", state]);
  await expect.poll(states).toContainEqual(["stays", "sent"]);
  expect(await states()).not.toContainEqual(["gone", "sent"]);
  const sent = (await readAudit(port, owner.as)).filter(({ action }) => action === "task.sent");
  expect(sent.length).toBe(1);
  tried(context, count(2, "hosts"));
});
