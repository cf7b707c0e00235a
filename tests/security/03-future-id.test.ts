import { nodeIdOf, publicKeyBytes } from "@gatehouse/keys";
import { expect, test } from "vitest";
import { enrolFakeHost } from "../support/fake-host.ts";
import { PretendHost } from "../support/pretend-host.ts";
import { newCode, newHost, nodesFor } from "./support/fleet.ts";
import { call, enter, newToken } from "./support/people.ts";
import { askForPlan, restartNginx } from "./support/plans.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/** Nezha: an id was stored for a thing that did not exist yet, and somebody else's thing got that id. */
const server = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1" } });
const { port } = server;

test("the id of a node is its key's: what was said of an id before it existed never becomes another host's", async (context) => {
  const owner = await enter(port);
  const awaited = new PretendHost("awaited");
  const token = await newToken(port, owner, ["node:read"], [awaited.nodeId]);
  expect(await nodesFor(port, token.as)).toEqual([]);
  const others = await Promise.all(Array.from({ length: 20 }, (_, at) => newHost(port, owner, `other-${at}`)));
  for (const { nodeId, hostKey } of others) expect(nodeId).toBe(nodeIdOf(publicKeyBytes(hostKey)));
  expect(await nodesFor(port, token.as)).toEqual([]);
  await enrolFakeHost(`http://127.0.0.1:${port}`, (await newCode(port, owner)).code, { host: awaited });
  expect((await nodesFor(port, token.as)).map(({ id }) => id)).toEqual([awaited.nodeId]);
  tried(context, count(others.length, "other hosts"));
});

test("a removed node's id comes back with its own key alone, and a revoked one's word counts for nothing meanwhile", async () => {
  const owner = await enter(port);
  const gone = await newHost(port, owner, "gone");
  const { raw } = await call(port, "GET", `/api/nodes/${gone.nodeId}`, { as: owner.as });
  const headers = [["If-Match", raw.headers.get("etag") ?? ""]] as const;
  expect((await call(port, "DELETE", `/api/nodes/${gone.nodeId}`, { as: owner.as, headers })).status).toBe(204);
  await expect(gone.hello()).rejects.toMatchObject({ closing: { reason: "hello.revoked" } });
  const again = await enrolFakeHost(`http://127.0.0.1:${port}`, (await newCode(port, owner)).code, { host: gone.host });
  expect(again.nodeId).toBe(gone.nodeId);
});

test("a plan for a node or a tag that does not exist yet is made for nobody, and nothing of it waits for one", async (context) => {
  const owner = await enter(port);
  const awaited = new PretendHost("planned-before");
  const early = [{ nodes: [awaited.nodeId] }, { tags: ["not-yet"] }];
  for (const about of early) {
    const made = await askForPlan(port, owner.as, { ...restartNginx, ...about, skipOffline: true });
    expect(["node.unknown", "plan.no_nodes"]).toContain(made.code);
  }
  const { code } = await newCode(port, owner, { tags: ["not-yet"] });
  await enrolFakeHost(`http://127.0.0.1:${port}`, code, { host: awaited });
  expect((await call<{ items: unknown[] }>(port, "GET", "/api/plans", owner)).body.items).toEqual([]);
  tried(context, count(early.length, "plans before their hosts"));
});
