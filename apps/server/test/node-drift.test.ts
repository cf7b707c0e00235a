import type { DriftPart, SignedDrift } from "@gatehouse/channel";
import type { Node, NodeDrift } from "@gatehouse/contract/routes";
import { nodeDriftKind } from "@gatehouse/contract/records";
import { newPrivateKey } from "@gatehouse/keys";
import { expect, test } from "vitest";
import { tokenVisitor } from "./auth-server.ts";
import { managedPretend, startPlanned } from "./planned-fleet.ts";
import { connectPretend } from "./pretend-agent.ts";

const part = (name: string, more: Partial<DriftPart> = {}): DriftPart => ({
  subject: `file:/etc/${name}`,
  task: `task_${"0".repeat(26)}`,
  plan: "a".repeat(64),
  confirmedAt: 1_800_000_000_000,
  expected: "b".repeat(64),
  state: "differs",
  found: "c".repeat(64),
  why: "",
  ...more,
});
const unread = { state: "unread", found: null, why: "read.limit: it took too long" } as const;

async function start() {
  const { server, owner } = await startPlanned();
  const managed = await managedPretend(server, owner, { features: ["drift"] });
  const { nodeId } = managed.host;
  const drift = async () => (await owner.call<NodeDrift>("GET", `/api/nodes/${nodeId}/drift`)).body;
  const node = async () => (await owner.call<Node>("GET", `/api/nodes/${nodeId}`)).body;
  const entries = async () => (await server.audit()).filter(({ action }) => action.startsWith("node.drift"));
  /** A beat behind it is acknowledged when it was taken: what comes over one connection is taken in order, and kept soon. */
  const tell = (parts: readonly DriftPart[], changed: Partial<SignedDrift> = {}) =>
    managed.agent.send(managed.host.drift(parts, changed));
  return { server, owner, ...managed, nodeId, drift, node, entries, tell };
}

test("an agent that can look is asked to, with what is known of it", async () => {
  const { server, host, agent, tell, drift } = await start();
  expect(await agent.nextFrame()).toEqual({ t: "want-drift", at: null, parts: 0 });
  tell([part("a"), part("b")], { at: 1_800_000_000_000 });
  await expect.poll(async () => (await drift()).items.length, { interval: 5 }).toBe(2);
  const again = await connectPretend(server, host, undefined, ["drift"]);
  expect(await again.nextFrame()).toEqual({ t: "want-drift", at: 1_800_000_000_000, parts: 2 });
});

test("what differs is shown with both digests, counted on the node, and heard of once", async () => {
  const { tell, drift, node, entries, nodeId } = await start();
  expect(await drift()).toEqual({ checkedAt: null, watched: null, more: 0, items: [] });
  expect((await node()).drift).toBeNull();
  const parts = [part("a"), part("b", { state: "missing", found: null }), part("c", unread)];
  tell(parts);
  await expect.poll(async () => (await drift()).items.length, { interval: 5 }).toBe(3);
  const shown = await drift();
  expect(shown).toMatchObject({ watched: 12, more: 0, checkedAt: expect.any(String) });
  expect(shown.items[0]).toEqual({
    ...part("a"),
    why: null,
    since: expect.any(String),
    confirmedAt: "2027-01-15T08:00:00.000Z",
  });
  expect(shown.items[2]).toMatchObject({ state: "unread", why: unread.why });
  expect((await node()).drift).toEqual({ parts: 2, since: shown.items[0]?.since });
  tell(parts);
  tell(parts.map((one) => (one.state === "unread" ? { ...one, why: "read.limit: another reason" } : one)));
  tell([part("a")]);
  await expect.poll(async () => (await drift()).items.length, { interval: 5 }).toBe(1);
  expect((await drift()).items[0]?.since).toBe(shown.items[0]?.since);
  const [first, second, ...rest] = await entries();
  expect(rest).toEqual([]);
  expect(first).toMatchObject({
    action: "node.drifted",
    actor: `node:${nodeId}`,
    detail: { parts: parts.map(({ subject }) => subject), differ: 2, unread: 1 },
  });
  expect(second).toMatchObject({
    action: "node.drift_ended",
    detail: { parts: ["file:/etc/b", "file:/etc/c"], left: 1 },
  });
});

test("a part that cannot be read any more is not said to be as confirmed", async () => {
  const { tell, drift, entries } = await start();
  tell([part("a")]);
  tell([part("a", unread)]);
  await expect.poll(async () => (await drift()).items[0]?.state, { interval: 5 }).toBe("unread");
  expect((await entries()).map(({ action }) => action)).toEqual(["node.drifted", "node.drifted"]);
});

test("an older word that is played again changes nothing, also when the newer one was no news", async () => {
  const { agent, host, drift, entries } = await start();
  const [early, good, again] = [host.drift([]), host.drift([part("a")]), host.drift([part("a")])];
  agent.send(good);
  agent.send(again);
  agent.send(early);
  agent.send(good);
  agent.send(host.drift([part("a"), part("b")]));
  await expect.poll(async () => (await drift()).items.length, { interval: 5 }).toBe(2);
  expect((await entries()).map(({ action }) => action)).toEqual(["node.drifted", "node.drifted"]);
});

test.each([
  ["another key", { signer: newPrivateKey() }],
  ["another node", { nodeId: `node_${"0".repeat(26)}` }],
  ["another host key", { hostKey: new Uint8Array(32).fill(7) }],
])("a word of %s ends the connection, and nothing of it is kept", async (_, changed) => {
  const { agent, host, drift } = await start();
  agent.send(host.drift([part("a")], changed));
  expect((await agent.closed).reason).toBe("frame.malformed");
  expect((await drift()).items).toEqual([]);
});

test("a host that tells again and again is cut off before it fills the log", async () => {
  const { agent, host, entries } = await start();
  for (let count = 0; count < 20; count += 1) agent.send(host.drift([part(`a${count}`)]));
  expect((await agent.closed).reason).toBe("frame.rate");
  expect((await entries()).length).toBeLessThanOrEqual(6);
});

test("a host that comes back for each few of its words does not fill the log either", async () => {
  const { server, host, entries } = await start();
  for (let connection = 0; connection < 5; connection += 1) {
    const agent = await connectPretend(server, host, undefined, ["drift"]);
    for (let count = 0; count < 6; count += 1) agent.send(host.drift([part(`a${connection}-${count}`)]));
    agent.send(host.drift([]));
    expect((await agent.closed).reason).toBe("frame.rate");
    await server.rest();
  }
  expect((await entries()).length).toBe(20);
  server.clock.advance(60 * 60_000);
  const later = await connectPretend(server, host, undefined, ["drift"]);
  later.send(host.drift([part("later")]));
  await expect.poll(async () => (await entries()).length, { interval: 5 }).toBe(21);
});

test("a time that no date has is shown as the last one that there is", async () => {
  const { tell, drift } = await start();
  tell([part("a", { confirmedAt: Number.MAX_SAFE_INTEGER })]);
  await expect.poll(async () => (await drift()).items?.length, { interval: 5 }).toBe(1);
  expect((await drift()).items[0]?.confirmedAt).toBe("+275760-09-13T00:00:00.000Z");
});

test("what differs goes with its node", async () => {
  const { server, owner, tell, drift, nodeId } = await start();
  tell([part("a")]);
  await expect.poll(async () => (await drift()).items.length, { interval: 5 }).toBe(1);
  const tag = (await owner.call("GET", `/api/nodes/${nodeId}`)).headers.get("etag") ?? "";
  const removed = await owner.call("DELETE", `/api/nodes/${nodeId}`, { headers: { "If-Match": tag } });
  expect(removed.status, JSON.stringify(removed.body)).toBe(204);
  expect(await server.store.get(nodeDriftKind.key(nodeId))).toBeUndefined();
});

test("the list counts what differs, and whoever may see some nodes sees no other's", async () => {
  const { server, owner, tell, drift, nodeId } = await start();
  const other = await managedPretend(server, owner, { name: "web-2" });
  tell([part("a")]);
  await expect.poll(async () => (await drift()).items.length, { interval: 5 }).toBe(1);
  const list = (await owner.call<{ items: Node[] }>("GET", "/api/nodes")).body.items;
  expect(Object.fromEntries(list.map((each) => [each.name, each.drift?.parts ?? null]))).toEqual({
    "web-1": 1,
    "web-2": null,
  });
  const { visitor } = await tokenVisitor(server, owner, { scopes: ["node:read"], nodes: [other.host.nodeId] });
  expect((await visitor.call("GET", `/api/nodes/${nodeId}/drift`)).status).toBe(403);
  expect((await visitor.call("GET", `/api/nodes/${other.host.nodeId}/drift`)).status).toBe(200);
});
