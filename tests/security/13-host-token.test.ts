import { newPrivateKey } from "@gatehouse/keys";
import { expect, test } from "vitest";
import { enrolFakeHost } from "../support/fake-host.ts";
import { PretendHost } from "../support/pretend-host.ts";
import { firstMs, startOldAgentAt } from "./inside/agent.ts";
import { newCode, newHost } from "./support/fleet.ts";
import { call, enter, readAudit } from "./support/people.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/** Netmaker: a host's token was not verified, and one host's worked for another. */
const server = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1" } });
const { port } = server;

test("a connection belongs to the key that proves it: no key, another's key and an old key open none", async (context) => {
  const owner = await enter(port);
  const [own, other] = [await newHost(port, owner, "own"), await newHost(port, owner, "other")];
  const { nodeId } = own.host;
  const old = own.host.channelKey;
  const wrong: [string, () => void, string][] = [
    ["a key of nobody", () => (own.host.channelKey = newPrivateKey()), "hello.node_signature"],
    ["the other's channel key", () => (own.host.channelKey = other.host.channelKey), "hello.node_signature"],
    ["its own host key", () => (own.host.channelKey = own.host.hostKey), "hello.node_signature"],
  ];
  for (const [what, take, code] of wrong) {
    take();
    await expect(own.hello(), what).rejects.toMatchObject({ closing: { reason: code } });
  }
  own.host.channelKey = old;
  Object.assign(own.host, { nodeId: other.nodeId });
  await expect(own.hello(), "the other's id").rejects.toMatchObject({ closing: { reason: "hello.node_signature" } });
  Object.assign(own.host, { nodeId });
  await (await own.hello()).close();
  tried(context, count(wrong.length + 1, "wrong hellos"));
});

test("no enrolment passes without the code and both keys, and no bearer token is one", async (context) => {
  const owner = await enter(port);
  const { code } = await newCode(port, owner);
  const [host, thief] = [new PretendHost("real"), new PretendHost("thief")];
  const sent = [
    [host.enrolment(code, { signer: thief }), "enrol.possession"],
    [host.enrolment(code, { secret: new Uint8Array(16) }), "enrol.mac"],
    [host.enrolment(code, { mac: new Uint8Array(32) }), "enrol.mac"],
  ] as const;
  for (const [body, refusal] of sent) {
    expect((await call(port, "POST", "/api/agent/enrol", { body })).code).toBe(refusal);
  }
  for (const as of [owner.as, [["Authorization", `Bearer ${code}`]] as const]) {
    expect((await call(port, "POST", "/api/agent/enrol", { as, body: { message: "AAAA" } })).code).toBe(
      "enrol.malformed",
    );
  }
  await enrolFakeHost(`http://127.0.0.1:${port}`, code, { host });
  tried(context, count(sent.length + 2, "enrolments"));
});

test("an agent changes its key by itself, and a thief of the old one is refused from then on", async (context) => {
  const owner = await enter(port);
  const { code } = await newCode(port, owner);
  const url = `http://127.0.0.1:${port}`;
  const { timers, notes, lines, thief } = await startOldAgentAt(url, code);
  const changes = async () =>
    (await readAudit(port, owner.as)).filter(
      ({ action, actor }) => action === "node.channel_key_changed" && actor === `node:${thief.nodeId}`,
    ).length;
  timers.end(firstMs);
  // Taken by the server while the old connection stands; then the agent comes anew, and the old key is let go.
  await expect.poll(changes).toBe(1);
  await expect
    .poll(() => {
      if (notes.at(-1)?.state !== "connecting") timers.endWhere((ms) => ms <= 10_000);
      return lines;
    })
    .toContain("the server has welcomed the new channel key; the one before is gone");
  await expect.poll(changes).toBe(2);
  await expect(thief.hello()).rejects.toMatchObject({ closing: { reason: "hello.node_signature" } });
  expect(notes.at(-1)).toMatchObject({ state: "connected" });
  tried(context, count(1, "stolen key"));
});
