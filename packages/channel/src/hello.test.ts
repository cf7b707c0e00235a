import { createHash } from "node:crypto";
import { importPrivateKey, nodeIdOf, publicKeyBytes, signBytes } from "@gatehouse/keys";
import { frame } from "@gatehouse/keys/frame";
import { expect, test } from "vitest";
import {
  type AgentHello,
  agentHelloFrame,
  challengeFrame,
  readAgentHello,
  readChallenge,
  readServerHello,
  serverHelloFrame,
} from "./hello.ts";
import { chooseVersion } from "./versions.ts";

const keyOf = (seed: number) => importPrivateKey(new Uint8Array(32).fill(seed));
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();

const hello: AgentHello = {
  versions: { min: 1, max: 1 },
  chosen: 1,
  path: "/api/agent/control/stream",
  authority: "gh.example:443",
  server: publicKeyBytes(keyOf(5)),
  serverNonce: new Uint8Array(32).fill(7),
  agentNonce: new Uint8Array(32).fill(8),
  nodeId: nodeIdOf(publicKeyBytes(keyOf(1))),
  channelKey: publicKeyBytes(keyOf(6)),
  probe: new Uint8Array(32).fill(9),
  body: { agentVersion: "0.2.1-alpha.1", cursor: { acked: 0, last: 2 }, features: [] },
};
const welcome = { acked: 0, beatSeconds: 10, windowSeconds: 20, head: null, serverTime: 1_800_000_000_000 };

test("the bytes of the hello are those of the protocol's vector", () => {
  // The vector has an empty body, which no agent sends.
  const framed = agentHelloFrame({ ...hello, body: {} as never });
  expect(framed.byteLength).toBe(323);
  expect(sha256(framed).toString("hex")).toBe("3f5a79e7db8201d7fe8c98f550c1b9618747f5f0e500af60215635a24f39bf38");
  expect(Buffer.from(signBytes(keyOf(6), framed)).toString("hex")).toBe(
    "75c61404da3c29a46bcf8c161a5f101f71b0faeb4ce4f300e03d446c12843147" +
      "ea780fbb1981f85ae6de7d59dc5df752b7cac52301057e75a65493179c954102",
  );
});

test("a hello is read back as it was written", () => {
  expect(readAgentHello(agentHelloFrame(hello))).toEqual(hello);
  expect(readAgentHello(agentHelloFrame({ ...hello, probe: new Uint8Array() }))?.probe.byteLength).toBe(0);
});

test("a hello with a field of another kind, or a body that is not closed, is none", () => {
  const body = hello.body as object;
  for (const odd of [
    {},
    { ...body, more: 1 },
    { ...body, cursor: { acked: -1, last: 0 } },
    { ...body, features: ["X"] },
  ]) {
    expect(readAgentHello(agentHelloFrame({ ...hello, body: odd as never }))).toBeUndefined();
  }
  expect(readAgentHello(agentHelloFrame({ ...hello, probe: new Uint8Array(31) }))).toBeUndefined();
  expect(readAgentHello(agentHelloFrame({ ...hello, server: new Uint8Array(31) }))).toBeUndefined();
});

test("a challenge is read back, and one whose versions are the wrong way round is none", () => {
  const { server } = hello;
  const challenge = { versions: { min: 1, max: 3 }, server, nonce: hello.serverNonce, at: 1_800_000_000_000 };
  expect(readChallenge(challengeFrame(challenge))).toEqual(challenge);
  expect(readChallenge(challengeFrame({ ...challenge, versions: { min: 2, max: 1 } }))).toBeUndefined();
  expect(readChallenge(frame("gatehouse-challenge-v1"))).toBeUndefined();
});

test("a welcome is read back, and one outside its limits is none", () => {
  const digest = sha256(agentHelloFrame(hello));
  expect(readServerHello(serverHelloFrame(digest, welcome))).toEqual({ hello: new Uint8Array(digest), body: welcome });
  for (const odd of [{ beatSeconds: 0 }, { windowSeconds: 10 ** 9 }, { head: "x" as never }, { serverTime: -1 }]) {
    expect(readServerHello(serverHelloFrame(digest, { ...welcome, ...odd }))).toBeUndefined();
  }
});

test("the highest version that both speak is chosen, or none", () => {
  expect(chooseVersion({ min: 1, max: 3 }, { min: 2, max: 5 })).toBe(3);
  expect(chooseVersion({ min: 1, max: 1 }, { min: 1, max: 2 })).toBe(1);
  expect(chooseVersion({ min: 1, max: 1 }, { min: 2, max: 2 })).toBeUndefined();
  expect(chooseVersion({ min: 3, max: 4 }, { min: 1, max: 2 })).toBeUndefined();
});
