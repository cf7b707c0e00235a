import { mkdir, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  bundleLimits,
  judgeBundle,
  listEntries,
  parseTrustPolicy,
  readManifest,
  verifyBundle,
} from "@gatehouse/bundle/verify";
import { expect, test } from "vitest";
import { inMemory, keyOf, makeBundle, placeBundle, policyOf, policyText } from "../bundles/sample.ts";
import { timed } from "../bundles/timed.ts";
import { makePluginPlace } from "./support/plugins.ts";
import { makeScratch } from "./support/scratch.ts";
import { startRefused } from "./support/server.ts";
import { count, tried } from "./support/tried.ts";

/** sigstore-go, Fulcio: signed metadata of any size was read to its end, before anybody asked who had signed it. */
const policy = policyOf();
const limitMs = 50;
const limitBytes = 10 * 1024 * 1024;

/** What one verdict takes in time, and what it makes the process grow by. */
async function cost(
  work: () => Promise<string>,
): Promise<{ readonly code: string; readonly ms: number; readonly bytes: number }> {
  await work();
  const before = process.memoryUsage();
  const { value, ms } = await timed(work);
  const after = process.memoryUsage();
  return { code: value, ms, bytes: Math.max(after.rss - before.rss, after.arrayBuffers - before.arrayBuffers) };
}

const judged = async (directory: string, name: string): Promise<string> => {
  const verdict = await judgeBundle({ directory, name, policy, now: 0 });
  return verdict.accepted ? "accepted" : verdict.refusal.code;
};

test("a file of a gigabyte or a terabyte, and a directory without end, cost what a refusal costs", async (context) => {
  await using place = await makePluginPlace();
  const { directory } = place;
  const at = (id: string) => placeBundle(directory, makeBundle({ id }));
  await truncate(join(await at("acme-gigabyte"), "manifest.json"), 2 ** 30);
  await truncate(join(await at("acme-terabyte"), "artifact"), 2 ** 40);
  // As large as is allowed, and signed by nobody: it is not even read.
  const unsigned = makeBundle({ id: "acme-unsigned" }, []);
  await truncate(join(await placeBundle(directory, unsigned), "artifact"), bundleLimits.artifactBytes);
  const crowded = await at("acme-crowded");
  for (let number = 0; number < 2_000; number += 1) await writeFile(join(crowded, `f${number}`), "");
  const found: Record<string, string> = {};
  for (const name of ["acme-gigabyte", "acme-terabyte", "acme-unsigned", "acme-crowded"]) {
    const { code, ms, bytes } = await cost(() => judged(directory, name));
    found[name] = code;
    expect(ms, name).toBeLessThan(limitMs);
    expect(bytes, name).toBeLessThan(limitBytes);
  }
  expect(found).toEqual({
    "acme-gigabyte": "bundle.manifest_too_large",
    "acme-terabyte": "bundle.artifact_too_large",
    "acme-unsigned": "bundle.unsigned",
    "acme-crowded": "bundle.unexpected_entry",
  });
  tried(context, `4 endless bundles on a disk, each under ${limitMs} ms and 10 MiB`);
});

test("a million signatures, and the worst that fits into a manifest, are refused as fast", async (context) => {
  const { manifest, artifact } = makeBundle({ id: "acme-many" });
  const [signature] = manifest.signatures;
  const line = JSON.stringify(signature);
  const fits = bundleLimits.manifestBytes;
  const texts: Readonly<Record<string, () => string>> = {
    "a million signatures": () => `{"signatures":[${`${line},`.repeat(1_000_000)}${line}]}`,
    "as many signatures as fit": () =>
      `{"signatures":[${`${line},`.repeat(Math.floor((fits - 200) / (line.length + 1)))}${line}]}`,
    "one string": () => `"${"x".repeat(fits - 2)}"`,
    "one number": () => "9".repeat(fits),
    escapes: () => `"${"\\u0041".repeat(fits / 6 - 1)}"`,
    surrogates: () => `"${"\\ud83d\\ude00".repeat(fits / 12 - 1)}"`,
    depth: () => "[".repeat(fits),
    "objects in objects": () => '{"a":'.repeat(fits / 5),
    keys: () => `{${Array.from({ length: 6_000 }, (_, at) => `"${at}":0`).join(",")}}`,
    "the same key": () => `{${'"a":0,'.repeat(fits / 6 - 1)}"a":0}`,
    items: () => `[${"0,".repeat(fits / 2 - 2)}0]`,
    "empty lists": () => `[${"[],".repeat(fits / 3 - 2)}[]]`,
    blanks: () => " ".repeat(fits),
    "a version": () => JSON.stringify({ ...manifest, version: `1.0.0-${"0-".repeat(fits / 4)}` }),
    "a name": () => JSON.stringify({ ...manifest, name: "😀".repeat(fits / 8) }),
    hosts: () =>
      JSON.stringify({ ...manifest, egress: { hosts: Array.from({ length: 3_000 }, (_, at) => `${at}.example.org`) } }),
  };
  for (const [what, make] of Object.entries(texts)) {
    const manifestBytes = Buffer.from(make());
    const { code, ms, bytes } = await cost(async () => {
      const verdict = await verifyBundle({
        bundle: inMemory({ id: "acme-many", artifact, manifestBytes }),
        policy,
        now: 0,
      });
      return verdict.accepted ? "accepted" : verdict.refusal.code;
    });
    expect(code, what).not.toBe("accepted");
    expect(code, what).not.toBe("bundle.verifier_failed");
    expect(ms, what).toBeLessThan(limitMs);
    expect(bytes, what).toBeLessThan(limitBytes);
  }
  expect(
    readManifest({
      ...manifest,
      signatures: Array.from({ length: 9 }, (_, at) => ({ ...signature, keyId: String(at).repeat(32) })),
    }),
  ).toMatchObject({ ok: false });
  tried(context, `${count(Object.keys(texts).length, "manifests")}, each under ${limitMs} ms and 10 MiB`);
});

test("a flooded plugin directory is read up to a bound", async (context) => {
  await using scratch = await makeScratch();
  const flood = 3_000;
  for (let number = 0; number < flood; number += 1)
    await mkdir(join(scratch.path, `p${String(number).padStart(5, "0")}`));
  const { names, tooMany, more } = await listEntries(scratch.path);
  expect({ judged: names.length, left: tooMany.length, more }).toEqual({
    judged: bundleLimits.entries,
    left: flood - bundleLimits.entries,
    more: false,
  });
  tried(context, `${count(flood, "entries")}, ${count(names.length, "judged")}`);
});

test("a trust policy without end is not read, and a server does not start on it", async (context) => {
  await using scratch = await makeScratch();
  const file = join(scratch.path, "trust.json");
  await writeFile(file, policyText());
  await truncate(file, 2 ** 30);
  const { code, stderr } = await startRefused({ SERVICE_PLUGIN_TRUST: file });
  expect(code).toBe(1);
  expect(stderr).toContain("SERVICE_PLUGIN_TRUST");
  expect(stderr.split("\n").length).toBeLessThan(4);
  const key = { id: keyOf("acme").keyId, publicKey: keyOf("acme").publicKey };
  const many = JSON.stringify({
    publishers: { acme: { keys: Array.from({ length: 8_000 }, () => key), idPrefixes: [], capabilities: [] } },
  });
  const { ms } = await timed(() =>
    Promise.resolve(expect(() => parseTrustPolicy(Buffer.from(many))).toThrow("trust.invalid")),
  );
  expect(ms).toBeLessThan(500);
  tried(context, "1 policy of a gigabyte, 1 with 8,000 keys");
});
