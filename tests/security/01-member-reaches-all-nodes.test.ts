import { expect, test } from "vitest";
import { keptOf, newHost, nodesFor } from "./support/fleet.ts";
import { call, enter, newPerson, newToken } from "./support/people.ts";
import { newPlan, plannedHost, restartNginx } from "./support/plans.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/** Nezha: a member's request was carried out on every node, also on those of others. */
const server = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1" } });
const { port } = server;

test("a token for one node sees and changes that node, and no call of it reaches another", async (context) => {
  const owner = await enter(port);
  const [own, foreign] = [await newHost(port, owner, "own"), await newHost(port, owner, "foreign")];
  const token = await newToken(port, owner, ["node:read", "node:admin"], [own.nodeId]);
  expect((await nodesFor(port, token.as)).map(({ id }) => id)).toEqual([own.nodeId]);
  const before = await keptOf(port, owner.as, foreign.nodeId);
  const tries = [
    ["GET", `/api/nodes/${foreign.nodeId}`],
    ["PATCH", `/api/nodes/${foreign.nodeId}`, { name: "mine" }],
    ["PATCH", `/api/nodes/${foreign.nodeId}`, { revoked: true }],
    ["DELETE", `/api/nodes/${foreign.nodeId}`],
    ["GET", "/api/nodes/enrolments"],
    ["POST", "/api/nodes/enrolments", {}],
    ["DELETE", `/api/nodes/enrolments/${"0".repeat(32)}`],
  ] as const;
  for (const [method, path, body] of tries) {
    const answer = await call(port, method, path, {
      as: token.as,
      headers: [["If-Match", '"1"']],
      ...(body && { body }),
    });
    expect([answer.status, answer.code], `${method} ${path}`).toEqual([403, "auth.node_limited"]);
  }
  for (const filter of ["", "?state=online", "?state=offline", "?state=unknown", "?limit=1000", "?tag=x"]) {
    const page = await call<{ items: { id: string }[] }>(port, "GET", `/api/nodes${filter}`, { as: token.as });
    expect(
      page.body.items.filter(({ id }) => id !== own.nodeId),
      filter,
    ).toEqual([]);
  }
  expect(await keptOf(port, owner.as, foreign.nodeId)).toBe(before);
  tried(context, count(tries.length + 6, "calls"));
});

test("whoever lacks the scope changes no node, whatever they can see", async (context) => {
  const owner = await enter(port);
  const { nodeId } = await newHost(port, owner, "watched");
  const before = await keptOf(port, owner.as, nodeId);
  const roles = ["approver", "auditor", "viewer"] as const;
  for (const role of roles) {
    const person = await newPerson(port, owner, role, `of-nodes-${role}`);
    expect((await nodesFor(port, person.as)).map(({ id }) => id)).toContain(nodeId);
    for (const [method, body] of [["PATCH", { name: "mine" }], ["PATCH", { revoked: true }], ["DELETE"]] as const) {
      const asked = { as: person.as, headers: [["If-Match", '"1"']] as const, ...(body && { body }) };
      expect((await call(port, method, `/api/nodes/${nodeId}`, asked)).code).toBe("auth.scope_missing");
    }
  }
  expect(await keptOf(port, owner.as, nodeId)).toBe(before);
  tried(context, count(roles.length * 3, "changes"));
});

test("a plan is for the nodes that it names, and for those that have its tag when it is made", async (context) => {
  const owner = await enter(port);
  const [named, tagged, other] = [
    await plannedHost(port, owner, { name: "named" }),
    await plannedHost(port, owner, { name: "tagged" }),
    await plannedHost(port, owner, { name: "another" }),
  ];
  const tag = async ({ nodeId }: typeof other) => {
    const { raw } = await call(port, "GET", `/api/nodes/${nodeId}`, { as: owner.as });
    const headers = [["If-Match", raw.headers.get("etag") ?? ""]] as const;
    const changed = await call(port, "PATCH", `/api/nodes/${nodeId}`, {
      as: owner.as,
      headers,
      body: { tags: ["edge"] },
    });
    expect(changed.status).toBe(200);
  };
  await tag(tagged);
  const plans = [
    await newPlan(port, owner.as, { ...restartNginx, nodes: [named.nodeId] }),
    await newPlan(port, owner.as, { ...restartNginx, tags: ["edge"] }),
  ];
  // Who gets the tag afterwards is in no plan that was made before.
  await tag(other);
  for (const [at, { id }] of plans.entries()) {
    const { body } = await call<{ items: { node: string }[] }>(port, "GET", `/api/plans/${id}/sections`, owner);
    expect(body.items.map(({ node }) => node)).toEqual([[named, tagged][at]?.nodeId]);
  }
  tried(context, count(plans.length, "plans"));
});
