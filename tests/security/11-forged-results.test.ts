import { createHash, randomBytes } from "node:crypto";
import { serverOrderId } from "@gatehouse/approval";
import type { ControlFrame, FrameOf } from "@gatehouse/channel";
import { newPrivateKey } from "@gatehouse/keys";
import { expect, test } from "vitest";
import { type KnownHost, keptOf, newHost } from "./support/fleet.ts";
import { enter, newPerson } from "./support/people.ts";
import { move, newPlan, plannedHost, type PlannedHost, restartNginx, tasksOf } from "./support/plans.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/** Nezha: an agent reported results in the name of other agents, and the server believed it. */
const server = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1" } });
const { port } = server;

const forgeries: readonly [string, (own: KnownHost, other: KnownHost) => ControlFrame][] = [
  ["the other's signed facts", (_, other) => other.host.facts({ kernel: "forged" })],
  ["the other's new channel key", (_, other) => other.host.channelKeyChange(newPrivateKey(), Date.now() + 1_000)],
  [
    "the other's channel key under our signature",
    (own, other) => other.host.channelKeyChange(newPrivateKey(), Date.now() + 1_000, own.host.hostKey),
  ],
  [
    "facts beside another ceiling than the signed one",
    (own, other) => ({ ...own.host.facts(), ceiling: other.host.facts({}, { level: "managed" }).ceiling }),
  ],
];

test("what an agent says in the name of another ends its connection, and nothing of the other changes", async (context) => {
  const owner = await enter(port);
  const [own, other] = [await newHost(port, owner, "own"), await newHost(port, owner, "other")];
  const connection = await other.hello();
  await connection.sendFacts({ kernel: "true" });
  await expect.poll(() => keptOf(port, owner.as, other.nodeId)).toContain('"kernel":"true"');
  const before = await keptOf(port, owner.as, other.nodeId);
  for (const [what, forge] of forgeries) {
    const liar = await own.hello();
    liar.send(forge(own, other));
    expect((await liar.closed).reason, what).toBe("frame.malformed");
  }
  expect(await keptOf(port, owner.as, other.nodeId)).toBe(before);
  // The other is still there, with the key that it has.
  await connection.beat();
  await connection.close();
  await (await other.hello()).close();
  tried(context, count(forgeries.length, "forgeries"));
});

test("a word about a task counts when host, task, plan and approval are those of the task, and in none of the other 15 cases", async (context) => {
  const owner = await enter(port);
  const author = await newPerson(port, owner, "operator", "of-two-hosts");
  const [one, two] = [await plannedHost(port, owner, { name: "one" }), await plannedHost(port, owner, { name: "two" })];
  const plan = await newPlan(port, author.as, { ...restartNginx, nodes: [one.nodeId, two.nodeId] });
  const approved = await move(port, owner.as, plan.id, { deed: "approvals", body: { server: true } });
  const [approval] = approved.body.approvals;
  expect((await move(port, owner.as, plan.id, { deed: "apply" })).status).toBe(200);
  const [task, others] = [await one.nextTask(), await two.nextTask()];
  const own = toldOf(task, approval?.id ?? "");
  let seq = 0;
  const say = (by: PlannedHost, told: typeof own) => {
    seq += 1;
    one.connection.send(by.host.outcome(told, { seq, outcome: "rolled_back" }));
  };
  for (let wrong = 1; wrong < 16; wrong += 1) {
    const is = (bit: number) => (wrong & (1 << bit)) !== 0;
    say(is(0) ? two : one, {
      ...own,
      ...(is(1) && { task: others.task }),
      ...(is(2) && { planDigest: "0d".repeat(32) }),
      ...(is(3) && { approvalId: randomBytes(16) }),
    });
  }
  const ended = async () => (await tasksOf(port, owner.as, plan.id)).map(({ node, outcome }) => outcome && node);
  say(one, own);
  // All of them were read before it, in their order.
  await expect.poll(ended).toContain(one.nodeId);
  expect((await ended()).filter((node) => node !== null)).toEqual([one.nodeId]);
  tried(context, count(seq - 1, "words about a task"));
});

/** What a host tells of a task that was sent for the server's word. */
function toldOf(task: FrameOf<"task">, word: string) {
  const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();
  return { ...task, approvalId: Buffer.from(serverOrderId(sha256, task.task, word), "hex") };
}
