import { encodeBase64url } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract/faults";
import { expect, test } from "vitest";
import { FakeChanges } from "../../test/journal-answers.ts";
import { manualTimers } from "../../test/manual-timers.ts";
import { openPathProofs } from "./path-proof.ts";

const proof = { hello: new Uint8Array(3).fill(1), welcome: new Uint8Array(3).fill(2) };
const sent = { hello: encodeBase64url(proof.hello), welcome: encodeBase64url(proof.welcome) };

function start() {
  const changes = new FakeChanges();
  const timers = manualTimers();
  const lines: string[] = [];
  let brought = 0;
  const proofs = openPathProofs({
    ask: changes.ask,
    timers,
    random: () => 0.5,
    log: (line) => void lines.push(line),
    brought: () => void (brought += 1),
  });
  const answering = (code: "local.unavailable" | "local.verb" | "confirm.proof" | "confirm.late") => {
    changes.before = () => Promise.reject(fault(code, "it says so"));
  };
  return { changes, timers, lines, proofs, answering, brought: () => brought };
}

test("the helper's probe is 32 bytes or none", async () => {
  const { changes, proofs, lines } = start();
  expect(await proofs.probe()).toHaveLength(0);
  const bytes = new Uint8Array(32).fill(9);
  changes.probe = encodeBase64url(bytes);
  expect(await proofs.probe()).toEqual(bytes);
  expect(lines).toEqual([]);
});

test.each([{}, { probe: 1 }, { probe: "!" }, { probe: "AAAA" }, { probe: "", more: 1 }])(
  "%j is no probe: the hello goes without one",
  async (answer) => {
    const { changes, proofs, lines } = start();
    changes.before = async () => answer;
    expect(await proofs.probe()).toHaveLength(0);
    expect(lines).toEqual([expect.stringContaining("the helper's answer is no probe")]);
  },
);

test("a helper that does not say is complained of once, until it says", async () => {
  const { changes, proofs, lines, answering } = start();
  for (let round = 1; round <= 2; round += 1) {
    answering("local.unavailable");
    expect(await proofs.probe()).toHaveLength(0);
    expect(await proofs.probe()).toHaveLength(0);
    expect(lines).toHaveLength(round);
    changes.before = async () => undefined;
    await proofs.probe();
  }
});

test("a helper of an earlier version, which has no probe, is no reason for a word", async () => {
  const { proofs, lines, answering } = start();
  answering("local.verb");
  expect(await proofs.probe()).toHaveLength(0);
  expect(lines).toEqual([]);
});

test("a proof is brought once, and then the journal is looked at", async () => {
  const { changes, proofs, lines, timers, brought } = start();
  proofs.bring(proof);
  await expect.poll(brought).toBe(1);
  expect(changes.asks("probe.proof")).toEqual([sent]);
  expect(lines).toEqual(["the helper has taken the proof that this host reaches its server"]);
  expect(timers.running()).toEqual([]);
});

test.each(["confirm.proof", "confirm.late"] as const)(
  "a proof that is refused as %s is not brought again",
  async (code) => {
    const { changes, proofs, lines, timers, brought, answering } = start();
    answering(code);
    proofs.bring(proof);
    await expect.poll(brought).toBe(1);
    expect(changes.asks("probe.proof")).toHaveLength(1);
    expect(lines).toEqual([
      `the helper does not take the proof that this host reaches its server: ${code}: it says so`,
    ]);
    expect(timers.running()).toEqual([]);
  },
);

test("a helper that is not there gets the proof when it is; that is said once", async () => {
  const { changes, proofs, lines, timers, brought, answering } = start();
  answering("local.unavailable");
  proofs.bring(proof);
  await expect.poll(() => timers.end(1_000)).toBe(1);
  await expect.poll(() => timers.running()).toEqual([2_000]);
  expect(lines).toHaveLength(1);
  changes.before = async () => undefined;
  timers.end(2_000);
  await expect.poll(brought).toBe(1);
  expect(changes.asks("probe.proof")).toEqual([sent, sent, sent]);
  expect(lines).toHaveLength(2);
});

test("the proof of a connection that is gone is not brought again", async () => {
  const { changes, proofs, timers, answering } = start();
  answering("local.unavailable");
  proofs.bring(proof);
  await expect.poll(() => timers.running()).toEqual([1_000]);
  proofs.forget();
  expect(timers.running()).toEqual([]);
  const asked = Promise.withResolvers<void>();
  changes.before = async () => {
    await asked.promise;
    throw fault("local.unavailable", "it says so");
  };
  proofs.bring(proof);
  proofs.forget();
  asked.resolve();
  await expect.poll(() => changes.asks("probe.proof").length).toBe(2);
  await proofs.probe();
  expect(timers.running()).toEqual([]);
});
