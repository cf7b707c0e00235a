import { createHash } from "node:crypto";
import { importPrivateKey, isSignedBy, loadPublicKey, nodeIdOf, publicKeyBytes, signBytes } from "@gatehouse/keys";
import { expect, test } from "vitest";
import { readStateAnswer, type StateAnswer, stateAnswerFrame } from "./host-messages.ts";
import { channelLimits } from "./limits.ts";

const key = importPrivateKey(new Uint8Array(32).fill(1));
const hostKey = publicKeyBytes(key);
const answer: StateAnswer = {
  nodeId: nodeIdOf(hostKey),
  hostKey,
  request: new Uint8Array(32).fill(7),
  at: 1_800_000_000_000,
  states: [
    { state: { sha256: "a".repeat(64), mode: "0644", owner: "root", group: "root" }, subject: "file:/etc/motd" },
    { state: null, subject: "firewall:gatehouse_none" },
    { state: { ports: [22], peers: ["192.0.2.7"] }, subject: "host:ssh" },
  ],
};

/** Signed by hosts: whoever changes a byte of it makes answers that nobody can check any more. */
test("an answer about a host's state has the bytes of its vector", () => {
  const framed = stateAnswerFrame(answer);
  expect(Buffer.from(framed.subarray(0, 33)).toString("latin1")).toBe("\0\0\0\x06\0\0\0\x19gatehouse-state-answer-v1");
  expect(framed.byteLength).toBe(581);
  expect(createHash("sha256").update(framed).digest("hex")).toBe(
    "6a5f31723d17a280e8fbccbd5ee7525209fa613e43cf99667c8a2fb576c36494",
  );
  expect(Buffer.from(signBytes(key, framed)).toString("hex")).toBe(
    "293e6255d3fb6f04c4e79fb97f3940fd90fbd2ba5d34fc5e7c4124599dc6da9fb89d3ffd8881cd13280f80799c2c1e331ba4e770ca327d18130ac4099b00be00",
  );
});

test("an answer is read as it was made, and the order of its keys is nobody's choice", () => {
  const framed = stateAnswerFrame(answer);
  expect(readStateAnswer(framed)).toEqual(answer);
  const turned = answer.states.map(({ state, subject }) => ({ subject, state }));
  expect(stateAnswerFrame({ ...answer, states: turned })).toEqual(framed);
  expect(isSignedBy(loadPublicKey(hostKey, "H"), framed, signBytes(key, framed))).toBe(true);
});

test.each([
  ["a request of another length", { request: new Uint8Array(31) }],
  ["a key of another length", { hostKey: new Uint8Array(33) }],
  ["a field more", { states: [{ state: null, subject: "host:ssh", more: 1 } as never] }],
  ["a state that is no object", { states: [{ state: 1 as never, subject: "host:ssh" }] }],
  [
    "more subjects than a question has",
    { states: Array.from({ length: channelLimits.stateSubjects + 1 }, () => answer.states[1]) as never },
  ],
])("an answer with %s is none", (_, changed) => {
  expect(readStateAnswer(stateAnswerFrame({ ...answer, ...changed }))).toBeUndefined();
});

test("an answer with a byte more, or one that is cut short, is none", () => {
  const framed = stateAnswerFrame(answer);
  expect(readStateAnswer(Buffer.concat([framed, new Uint8Array(1)]))).toBeUndefined();
  expect(readStateAnswer(framed.subarray(0, -1))).toBeUndefined();
});
