import { spawnSync } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { capabilityNames, faults, runnerNames, scopeNames, surfaces } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { childEnvironment } from "../../../../tests/support/child-environment.ts";
import { stopMs } from "../../../../tests/support/stopped.ts";
import type { VectorIndex } from "./index.ts";

const root = resolve(import.meta.dirname, "../../../..");
const vectors = join(root, "packages/bundle/vectors");

/** Needs `python3` and `openssl` on the PATH; without them this fails rather than passing for nothing. */
function judge(directory: string): { status: number | null; lines: string[] } {
  const program = join(root, "tests/bundles/second-implementation/verify_vectors.py");
  const { status, stdout, error } = spawnSync("python3", ["-B", program, directory], {
    encoding: "utf8",
    env: childEnvironment(),
    timeout: stopMs,
  });
  if (error !== undefined) throw error;
  return { status, lines: stdout.trimEnd().split("\n") };
}

test("a verifier in another language, written from the page alone, judges every vector alike", () => {
  const { status, lines } = judge(vectors);
  expect(lines.at(-1)).toMatch(/^(\d+) of \1 vectors judged alike$/);
  expect(Number(lines.at(-1)?.split(" ")[0])).toBeGreaterThan(100);
  expect(status).toBe(0);
});

test("it does judge: what is said wrongly about a vector is found", async () => {
  const copy = await mkdtemp(join(tmpdir(), "gatehouse-second-"));
  try {
    await cp(vectors, copy, { recursive: true });
    const index = JSON.parse(await readFile(join(copy, "index.json"), "utf8")) as VectorIndex;
    const wrong = index.vectors
      .filter((vector) => ["valid-minimal", "signature-zero"].includes(vector.name))
      .map((vector) => ({ ...vector, accepted: true, code: vector.accepted ? "bundle.unsigned" : null }));
    await writeFile(join(copy, "index.json"), JSON.stringify({ vectors: wrong }));
    const { status, lines } = judge(copy);
    expect(lines).toContain("valid-minimal: expected bundle.unsigned, found None");
    expect(lines).toContain("signature-zero: expected None, found bundle.invalid_signature");
    expect([status, lines.at(-1)]).toEqual([1, "0 of 2 vectors judged alike"]);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
});

test("the page names every capability, scope, runner, surface and reason that exists", async () => {
  const page = await readFile(join(root, "docs/plugins/bundle-format.md"), "utf8");
  const index = JSON.parse(await readFile(join(vectors, "index.json"), "utf8")) as VectorIndex;
  const reasons = Object.keys(faults).filter((code) => index.vectors.some((vector) => vector.code === code));
  const names = [...capabilityNames, ...scopeNames, ...runnerNames, ...surfaces, ...reasons];
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
