import { importPrivateKey, publicKeyBytes } from "@gatehouse/keys";
import { describe, expect, test } from "vitest";
import { judgeProof } from "./judge-proof.ts";
import { makeChangeBench, type ProofParts, untilIdle, untilRestarted, windowSeconds } from "../../test/change-bench.ts";

const thief = importPrivateKey(new Uint8Array(32).fill(66));

async function startChecking() {
  const bench = await makeChangeBench();
  const changes = bench.open();
  await changes.begin(bench.judged);
  await untilRestarted(bench);
  return { bench, changes };
}

describe("no proof of the way to the server is", () => {
  test.each<[string, Partial<ProofParts>, string]>([
    ["a hello with another host's probe", { probe: new Uint8Array(32).fill(1) }, "the probe of this change"],
    ["a hello without a probe", { probe: new Uint8Array() }, "the probe of this change"],
    ["another host's hello", { nodeId: `node_${"0".repeat(26)}` }, "another host"],
    ["a hello to another server's key", { server: publicKeyBytes(thief) }, "the key of this host's server"],
    ["a hello on another path", { path: "/api/agent/terminal/stream" }, "the path /api/agent/control/stream"],
    ["a hello to another place", { authority: "gh.example:8443" }, "a server at gh.example:443"],
    ["the answer to another hello", { answered: () => new Uint8Array(3) }, "the answer to that hello"],
    ["a captive portal's signature", { signer: thief }, "the signature of this host's server"],
  ])("%s", async (_, parts, expected) => {
    const { bench, changes } = await startChecking();
    const refused = changes.prove(await bench.prove(parts));
    await expect(refused).rejects.toThrow(/^confirm\.proof/);
    await expect(refused).rejects.toThrow(expected);
    expect((await bench.kinds()).at(-1)).toBe("probe");
    await changes.prove(await bench.prove());
    await untilIdle(changes);
    expect((await bench.kinds()).at(-1), "the right one is taken afterwards").toBe("ended");
  });

  test("one in which any byte that somebody signed for is another", async () => {
    const bench = await makeChangeBench();
    const { nodeId, serverKey } = bench.host;
    const probe = new Uint8Array(32).fill(9);
    const ground = { probe, nodeId, server: publicKeyBytes(serverKey), authority: "gh.example:443" };
    const proof = await bench.prove({ probe });
    judgeProof(ground, proof);
    // The agent's own signature stands at the end of its hello, and is nobody's proof.
    const signed = { hello: proof.hello.byteLength - 64, welcome: proof.welcome.byteLength };
    for (const part of ["hello", "welcome"] as const) {
      for (let at = 0; at < signed[part]; at += 1) {
        const bytes = proof[part].map((byte, index) => (index === at ? byte ^ 1 : byte));
        expect(() => judgeProof(ground, { ...proof, [part]: bytes }), `${part} ${at}`).toThrow(/^confirm\.proof/);
      }
    }
  });

  test("words without messages, or the two the other way round", async () => {
    const { bench, changes } = await startChecking();
    const { hello, welcome } = await bench.prove();
    const claims = [
      { hello: Uint8Array.of(1), welcome: Uint8Array.of(1) },
      { hello, welcome: Uint8Array.of(1) },
      { hello: welcome, welcome: hello },
    ];
    for (const claim of claims) await expect(changes.prove(claim)).rejects.toThrow(/^confirm\.proof/);
  });

  test("one from before any probe, on a host with nothing open too", async () => {
    const bench = await makeChangeBench();
    const idle = bench.open();
    await expect(idle.prove(await bench.prove())).rejects.toThrow(/^confirm\.proof: .* found none/);
    void bench.open("checking").begin(bench.judged);
    await expect.poll(async () => (await bench.kinds()).at(-1), { interval: 1 }).toBe("checking");
    const changes = bench.open();
    expect(await changes.probe()).toBeUndefined();
    await expect(changes.prove(await bench.prove())).rejects.toThrow(/^confirm\.proof: .* found none/);
  });

  test("one with the probe of an earlier start of the helper", async () => {
    const { bench } = await startChecking();
    const earlier = await bench.prove();
    bench.calls.length = 0;
    const second = bench.open();
    await second.resume();
    await untilRestarted(bench);
    await expect(second.prove(earlier)).rejects.toThrow(/^confirm\.proof/);
    await second.prove(await bench.prove());
    await untilIdle(second);
  });
});

test("the same proof twice, at once or later, is taken once and refused never", async () => {
  const { bench, changes } = await startChecking();
  const proof = await bench.prove();
  await Promise.all([changes.prove(proof), changes.prove(proof)]);
  await untilIdle(changes);
  await changes.prove(proof);
  expect((await bench.kinds()).filter((kind) => kind === "confirmed")).toHaveLength(1);
  await expect(changes.prove(await bench.prove({ signer: thief }))).rejects.toThrow(/^confirm\.proof/);
});

test("a proof whose answer was lost with the helper is taken again by the next one", async () => {
  const bench = await makeChangeBench();
  const first = bench.open("confirmed");
  await first.begin(bench.judged);
  await untilRestarted(bench);
  const proof = await bench.prove();
  void first.prove(proof);
  await expect.poll(async () => (await bench.kinds()).at(-1), { interval: 1 }).toBe("confirmed");
  await bench.open().prove(proof);
});

describe("too late is a proof", () => {
  test.each([
    ["in the last second", windowSeconds * 1_000 - 1_000],
    ["after the deadline", windowSeconds * 1_000 + 1],
  ])("%s", async (_, later) => {
    const { bench, changes } = await startChecking();
    const proof = await bench.prove();
    bench.host.time.uptimeMs += later;
    await expect(changes.prove(proof)).rejects.toThrow(/^confirm\.late/);
    expect((await bench.kinds()).at(-1)).toBe("probe");
  });

  test("in another run of the machine, or where the kernel does not tell the time", async () => {
    const { bench, changes } = await startChecking();
    const proof = await bench.prove();
    bench.now.hasUptime = false;
    await expect(changes.prove(proof)).rejects.toThrow(/^confirm\.late/);
    bench.now.hasUptime = true;
    bench.host.time.boot = "99999999-2222-3333-4444-555555555555";
    await expect(changes.prove(proof)).rejects.toThrow(/^confirm\.late/);
  });

  test("when the dead-man was the first to write", async () => {
    const { bench, changes } = await startChecking();
    const proof = await bench.prove();
    bench.before.set("confirmed", async () => {
      const rescue = await bench.openJournal();
      await rescue.append(bench.judged.task, "restoring", { code: "confirm.late", detail: "" });
    });
    await expect(changes.prove(proof)).rejects.toThrow(/^confirm\.late: .* taken back/);
    expect(bench.calls).not.toContain("finish");
    expect(bench.broken).toEqual([]);
    await expect(changes.prove(proof), "and nothing is open for it any more").rejects.toThrow(/^confirm\.proof/);
  });

  test("but not a millisecond before", async () => {
    const { bench, changes } = await startChecking();
    const proof = await bench.prove();
    bench.host.time.uptimeMs += windowSeconds * 1_000 - 1_001;
    await changes.prove(proof);
    await untilIdle(changes);
  });
});
