import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { faults } from "@gatehouse/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { judgeBundle, parseTrustPolicy } from "../verify/index.ts";
import { makeVectors, plantVector, type VectorEntry, type VectorIndex } from "./index.ts";

const published = join(import.meta.dirname, "../../vectors");
const files = makeVectors();
const index = JSON.parse(Buffer.from(files.get("index.json") ?? "").toString()) as VectorIndex;
let scratch: string;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "gatehouse-vectors-"));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

test("the published files are exactly those that the generator makes", async () => {
  const entries = await readdir(published, { recursive: true, withFileTypes: true });
  const found = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  expect(found.sort()).toEqual([...files.keys()].map((path) => join(published, path)).sort());
  for (const [path, bytes] of files) {
    expect(Buffer.compare(await readFile(join(published, path)), bytes), path).toBe(0);
  }
});

test("making them again gives the same bytes", () => {
  expect(Buffer.from(makeVectors().get("index.json") ?? "").toString("hex")).toBe(
    Buffer.from(files.get("index.json") ?? "").toString("hex"),
  );
});

test("every reason code has a vector, or a reason why it has none", () => {
  const shown = new Set([...index.vectors.map((vector) => vector.code), ...Object.keys(index.withoutVector)]);
  const codes = Object.keys(faults).filter((code) => code.startsWith("bundle."));
  expect(codes.filter((code) => !shown.has(code))).toEqual([]);
  expect(Object.keys(index.withoutVector).filter((code) => !codes.includes(code))).toEqual([]);
});

test("no two vectors have one name", () => {
  expect(new Set(index.vectors.map((vector) => vector.name)).size).toBe(index.vectors.length);
});

describe("each vector is judged as it says", () => {
  test.each(index.vectors.map((vector) => [vector.name, vector] as const))("%s", async (name, vector) => {
    const directory = join(scratch, name);
    await plantVector(published, vector, directory);
    const verdict = await judge(vector, directory);
    // Nothing is unreadable for root; the reader's own tests cover that case for every user.
    if (vector.code === "bundle.unreadable" && process.getuid?.() === 0) return;
    expect(verdict.accepted ? null : verdict.refusal.code).toBe(vector.code);
    expect(verdict.accepted).toBe(vector.accepted);
  });
});

async function judge(vector: VectorEntry, directory: string) {
  return judgeBundle({
    directory,
    name: vector.entry,
    policy: parseTrustPolicy(await readFile(join(published, vector.trust))),
    now: Date.parse(vector.now),
    enabledRunners: new Set(vector.enabledRunners as ("system" | "worker" | "wasm")[]),
  });
}
