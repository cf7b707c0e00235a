import { mkdir, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bundleLimits, judgeBundle, listEntries, readManifest } from "@gatehouse/bundle/verify";
import { expect, test } from "vitest";
import { keyOf, makeBundle, placeBundle, policyOf, policyText } from "../bundles/sample.ts";
import { StepCounts } from "./support/count-steps.ts";
import { makePluginPlace } from "./support/plugins.ts";
import { countReads } from "./support/count-reads.ts";
import { makeScratch } from "./support/scratch.ts";
import { startRefused } from "./support/server.ts";
import { count, tried } from "./support/tried.ts";

/** sigstore-go, Fulcio: signed metadata of any size was read to its end, before anybody asked who had signed it. */
const policy = policyOf();
/** A manifest may have this many bytes and is read to its end; nothing else is, before somebody has signed it. */
const readBytes = bundleLimits.manifestBytes + 1;
/** What is asked of one character, at the most: it is looked at as UTF-8, as JSON, and by the schema. */
const stepsPerByte = 32;

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
    const { value, bytes, names, bytesOfProcess } = await countReads(() => judged(directory, name));
    found[name] = value;
    expect(bytes, name).toBeLessThanOrEqual(readBytes);
    expect(names, name).toBeLessThanOrEqual(16);
    // By whatever way something was read: 128 MiB is the least of what lies there.
    expect(bytesOfProcess, name).toBeLessThan(32 * 1024 * 1024);
  }
  expect(found).toEqual({
    "acme-gigabyte": "bundle.manifest_too_large",
    "acme-terabyte": "bundle.artifact_too_large",
    "acme-unsigned": "bundle.unsigned",
    "acme-crowded": "bundle.unexpected_entry",
  });
  tried(context, `4 endless bundles on a disk, each refused after ${readBytes} bytes at the most`);
});

test("a million signatures, and the worst that fits into a manifest, are refused in so many steps a byte", async (context) => {
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
  await using counts = new StepCounts();
  for (const [what, make] of Object.entries(texts)) {
    const manifestBytes = Buffer.from(make());
    const { value, steps, grown } = await counts.of("judge a manifest", { manifestBytes, artifact });
    expect(value, what).not.toBe("accepted");
    expect(value, what).not.toBe("bundle.verifier_failed");
    // What is larger than it may be is not looked at: the million signatures cost what one would.
    expect(steps, what).toBeLessThan(stepsPerByte * Math.min(manifestBytes.length, fits));
    expect(grown, what).toBeLessThan(64 * 1024 * 1024);
  }
  expect(
    readManifest({
      ...manifest,
      signatures: Array.from({ length: 9 }, (_, at) => ({ ...signature, keyId: String(at).repeat(32) })),
    }),
  ).toMatchObject({ ok: false });
  tried(context, `${count(Object.keys(texts).length, "manifests")}, each in ${stepsPerByte} steps a byte at the most`);
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
  await using counts = new StepCounts();
  const { value, steps } = await counts.of("read a trust policy", many);
  expect(value).toContain("trust.invalid");
  expect(steps).toBeLessThan(stepsPerByte * many.length);
  tried(context, "1 policy of a gigabyte, 1 with 8,000 keys");
});
