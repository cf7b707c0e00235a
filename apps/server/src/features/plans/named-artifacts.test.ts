import type { Operation, PlanSection } from "@gatehouse/plan";
import { memoryBlobs } from "@gatehouse/store/blobs";
import { describe, expect, test } from "vitest";
import { plansLimits } from "./limits.ts";
import { makeTask } from "./make-task.ts";
import { digestsOf, namedArtifacts, requireFewArtifacts } from "./named-artifacts.ts";

const signature = { keyId: "0a".repeat(16), ed25519: `${"A".repeat(86)}==` };
const facts = { sha256: "b".repeat(64), size: 5, signature };
// Facts of later schemas are taken along without a change here.
const binary = (more: object = {}) =>
  ({ kind: "binary.replace", path: "/usr/local/bin/caddy", publisher: "acme", ...facts, ...more }) as Operation;
const release = (more: object = {}) =>
  ({ kind: "agent.update", version: "0.3.0", architecture: "x64", ...facts, ...more }) as Operation;
const restart: Operation = { kind: "service.restart", unit: "nginx.service" };

describe("the artifacts that operations name", () => {
  test("are what is signed of them, each once", () => {
    expect(namedArtifacts([restart])).toEqual([]);
    const named = namedArtifacts([
      binary(),
      restart,
      binary({ path: "/opt/caddy" }),
      release({ sha256: "a".repeat(64) }),
    ]);
    expect(named).toEqual([
      { kind: "binary", publisher: "acme", ...facts },
      { kind: "release", version: "0.3.0", architecture: "x64", ...facts, sha256: "a".repeat(64) },
    ]);
    expect(digestsOf(named)).toEqual(["a".repeat(64), "b".repeat(64)]);
  });

  test("are two where a fact differs, so that each is judged", () => {
    const named = namedArtifacts([binary(), binary({ publisher: "other" }), release(), binary({ name: "caddy" })]);
    expect(named).toHaveLength(4);
    expect(digestsOf(named)).toEqual(["b".repeat(64)]);
  });
});

describe("a task", () => {
  const sectionOf = (operations: readonly Operation[]): PlanSection => ({
    node: "node_1",
    operations: [...operations],
    preconditions: [],
  });
  const made = (blobs: Parameters<typeof makeTask>[0], operations: readonly Operation[]) =>
    makeTask(
      blobs,
      { id: "task_1", index: 1 },
      "f".repeat(64),
      // The first section's are not this host's.
      {
        sections: [sectionOf([binary({ sha256: "9".repeat(64) })]), sectionOf(operations)],
        header: { sha256: "1".repeat(64), bytes: Uint8Array.of(1) },
        digests: { sha256: "2".repeat(64), bytes: Uint8Array.of(2) },
      },
      Uint8Array.of(3),
    );

  test("names the artifacts of its own section, once each, by rising digest", () => {
    const { task } = made(memoryBlobs(), [
      release({ sha256: "c".repeat(64), size: 7 }),
      binary(),
      binary({ path: "/opt/caddy" }),
      binary({ sha256: "a".repeat(64), size: 6 }),
    ]);
    expect(task.parts.artifacts).toEqual([
      { sha256: "a".repeat(64), size: 6 },
      { sha256: "b".repeat(64), size: 5 },
      { sha256: "c".repeat(64), size: 7 },
    ]);
    expect(made(memoryBlobs(), [restart]).task.parts.artifacts).toEqual([]);
  });

  test("has the bytes of an artifact where they are kept, and opens them for whoever asks", async () => {
    const blobs = memoryBlobs();
    const sha256 = await blobs.put([Buffer.from("hello")]);
    let opened = 0;
    const counting = {
      open: (digest: string) => {
        opened += 1;
        return blobs.open(digest);
      },
    };
    const { parts } = made(counting, [binary({ sha256 })]);
    const part = parts.get(sha256);
    if (part === undefined || part instanceof Uint8Array) throw new Error("it is held");
    expect([part.size, opened]).toEqual([5, 0]);
    const blob = await part.open();
    expect(Buffer.from(await blob.read(0, 5)).toString()).toBe("hello");
    await blob.close();
  });
});

test("a plan names as many artifacts as its commit holds, and no more", () => {
  const most = Array.from({ length: plansLimits.artifactsOfPlan }, (_, n) => String(n));
  requireFewArtifacts(most);
  expect(() => requireFewArtifacts([...most, "more"])).toThrow("expected at most 64 artifacts in a plan, found 65");
});
