import { decodeBase64url, encodeBase64url, readStateAnswer, type SubjectState } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract/faults";
import { isSignedBy, loadPublicKey } from "@gatehouse/keys";
import { readSigned } from "@gatehouse/keys/frame";
import { expect, test } from "vitest";
import { startHelper } from "../../test/helper-process.ts";
import { makeHostDirectory } from "../../test/host-directory.ts";
import { makeHostIdentity } from "../local/host-key.ts";
import type { ReadStates } from "./helper-deps.ts";

const request = new Uint8Array(32).fill(7);
const question = { request: encodeBase64url(request), subjects: ["file:/etc/motd", "host:ssh"] };
const states: SubjectState[] = [
  { state: null, subject: "file:/etc/motd" },
  { state: { ports: [22], peers: [] }, subject: "host:ssh" },
];

async function startReading(readStates: ReadStates = async () => states) {
  const host = makeHostDirectory();
  const identity = await makeHostIdentity(host);
  return { host, identity, ...(await startHelper(host, { readStates })) };
}

test("an answer is signed by the host for this question alone, with its own time", async () => {
  const { ask, identity, clock } = await startReading();
  const { signed } = await ask("state.read", question);
  const read = readSigned(decodeBase64url(signed as string), [64], readStateAnswer);
  if (read === undefined) throw new Error("no signed answer");
  expect(isSignedBy(loadPublicKey(identity.publicKey, "H"), read.framed, read.signatures[0])).toBe(true);
  expect(read.value).toEqual({
    nodeId: identity.nodeId,
    hostKey: identity.publicKey,
    request,
    at: clock.now(),
    states,
  });
});

test("the key for what others may not read follows from the host's own, and is no part of it", async () => {
  const keys: Uint8Array[] = [];
  const note: ReadStates = async ({ privateKey }) => {
    keys.push(privateKey);
    return states;
  };
  const first = await startReading(note);
  await first.ask("state.read", question);
  await first.ask("state.read", question);
  const second = await startReading(note);
  await second.ask("state.read", question);
  const [one, again, other] = keys.map((key) => Buffer.from(key).toString("hex"));
  expect(one).toMatch(/^[0-9a-f]{64}$/);
  expect(again).toBe(one);
  expect(other).not.toBe(one);
  expect(Buffer.from(first.identity.publicKey).toString("hex")).not.toBe(one);
});

test("the seventh question of a minute is refused, and a minute after the first there is room again", async () => {
  const { ask, clock } = await startReading();
  for (let count = 0; count < 6; count += 1) {
    await ask("state.read", question);
    clock.advance(1_000);
  }
  await expect(ask("state.read", question)).rejects.toThrow(/^read\.rate/);
  clock.advance(54_000);
  await ask("state.read", question);
  await expect(ask("state.read", question)).rejects.toThrow(/^read\.rate/);
});

test("questions that are refused count as well: asking is what costs", async () => {
  const { ask } = await startReading(() => Promise.reject(fault("read.ceiling", "file:/etc/shadow")));
  for (let count = 0; count < 6; count += 1) {
    await expect(ask("state.read", question)).rejects.toThrow(/^read\.ceiling/);
  }
  await expect(ask("state.read", question)).rejects.toThrow(/^read\.rate/);
});

test("one question is answered at a time", async () => {
  let [running, most] = [0, 0];
  const { ask } = await startReading(async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return states;
  });
  await Promise.all([1, 2, 3].map(() => ask("state.read", question)));
  expect(most).toBe(1);
});

test("an answer that is too large is refused, and names what is large", async () => {
  const large = { subject: "firewall:gatehouse_web", state: { nftables: ["x".repeat(2 * 1024 * 1024)] } };
  const { ask } = await startReading(async () => [...states, large]);
  await expect(ask("state.read", question)).rejects.toThrow(/^read\.limit: firewall:gatehouse_web/);
});

test.each([
  ["no request", { subjects: ["host:ssh"] }],
  ["a request of another length", { ...question, request: "AAAA" }],
  ["no subject", { ...question, subjects: [] }],
  ["a subject that is no text", { ...question, subjects: [1] }],
  ["too many subjects", { ...question, subjects: Array.from({ length: 65 }, () => "host:ssh") }],
  ["a subject of any length", { ...question, subjects: ["x".repeat(601)] }],
  ["a field more", { ...question, root: "/" }],
])("a question with %s is a broken message", async (_, fields) => {
  const { ask } = await startReading();
  await expect(ask("state.read", fields as never)).rejects.toThrow(/^local\.frame/);
});

test("on a copied disk nothing is told", async () => {
  const { ask, host } = await startReading();
  host.setMachine("b");
  await expect(ask("state.read", question)).rejects.toThrow(/^identity\.cloned/);
});
