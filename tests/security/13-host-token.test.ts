import { newPrivateKey } from "@gatehouse/keys";
import { expect, test } from "vitest";
import { enrolFakeHost } from "../support/fake-host.ts";
import { PretendHost } from "../support/pretend-host.ts";
import { newCode, newHost } from "./support/fleet.ts";
import { call, enter } from "./support/people.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/** Netmaker: a host's token was not verified, and one host's worked for another. */
const server = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1" } });
const { port } = server;

test("a connection belongs to the key that proves it: no key, another's key and an old key open none", async (context) => {
  const owner = await enter(port);
  const [own, other] = [await newHost(port, owner, "own"), await newHost(port, owner, "other")];
  const nodeIsOther = { get: () => other.nodeId };
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
  Object.defineProperty(own.host, "nodeId", { ...nodeIsOther, configurable: true });
  await expect(own.hello(), "the other's id").rejects.toMatchObject({ closing: { reason: "hello.node_signature" } });
  Reflect.deleteProperty(own.host, "nodeId");
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
