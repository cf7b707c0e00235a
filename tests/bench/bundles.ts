import { createHash, randomBytes } from "node:crypto";
import { closeSync, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBundle, verifyBundle } from "@gatehouse/bundle/verify";
import { makeBundle, placeBundle, policyOf } from "../bundles/sample.ts";
import { benchArguments, concludeBench, interleave } from "./measure.ts";
import { median } from "../support/percentile.ts";

/** `npm run bench:bundles [--short]`: judging bundles as the startup loader does, beside hashing the same bytes. */
const { short } = benchArguments();
const bundles = short ? 100 : 1_000;
const artifactBytes = 5 * 1024 * 1024;
const pairs = short ? 9 : 5;
/** As many at a time as the loader judges, for both sides. */
const lanes = 4;
/** The size of a read at which bare hashing is at its best. */
const piece = 256 * 1024;
const policy = policyOf();

const directory = mkdtempSync(join(tmpdir(), "gatehouse-bench-"));
try {
  await main();
} finally {
  rmSync(directory, { recursive: true, force: true });
}

async function main(): Promise<void> {
  console.log(
    `bench:bundles, node ${process.version}, ${bundles} bundles of 5 MiB, ${lanes} at a time, ${pairs} pairs`,
  );
  const names = await placeAll();
  await ours(names);
  await bareInLanes(names);
  const figures = await interleave(
    pairs,
    () => ours(names),
    () => bareInLanes(names),
  );
  const alone = [bareAlone(names), bareAlone(names), bareAlone(names)];
  const one = await placeOne();
  console.log(`  judged: ${rate(figures.ours)}, hashed bare in the same manner: ${rate(figures.bare)}`);
  console.log(`  for comparison, hashed bare one after the other and without a loop of events: ${rate(median(alone))}`);
  console.log(`  a bundle whose artifact is a few bytes: ${one.toFixed(2)} ms, signature and all`);
  concludeBench(
    "bench:bundles",
    [{ name: "judging beside bare hashing", found: figures.ratio, goal: 0.8, atLeast: true }],
    `${bundles.toLocaleString("en")} bundles of 5 MiB judged at ${rate(figures.ours)}, ${figures.ratio.toFixed(2)} of bare hashing`,
  );
}

async function placeAll(): Promise<string[]> {
  const names: string[] = [];
  // Every artifact is another one, and made quickly: one random block, beginning elsewhere each time.
  const block = randomBytes(artifactBytes + bundles);
  for (let number = 0; number < bundles; number += 1) {
    const id = `acme-${number}`;
    await placeBundle(directory, makeBundle({ id }, undefined, block.subarray(number, number + artifactBytes)));
    names.push(id);
  }
  return names;
}

/** Bytes a second of whole verdicts. One that does not accept is no figure. */
function ours(names: readonly string[]): Promise<number> {
  return inLanes(names, async (name) => {
    const bundle = await openBundle(directory, name);
    try {
      const verdict = await verifyBundle({ bundle, policy, now: Date.now() });
      if (!verdict.accepted) throw new Error(`${name}: ${verdict.refusal.detail}`);
    } finally {
      await bundle.close();
    }
  });
}

/** The same reads and the same hashing, of the artifacts alone: no manifest, no signature, no look at what was opened. */
function bareInLanes(names: readonly string[]): Promise<number> {
  return inLanes(names, async (name) => {
    const file = await open(join(directory, name, "artifact"));
    try {
      const hash = createHash("sha256");
      const buffer = Buffer.allocUnsafe(piece);
      for (let at = 0; at < artifactBytes; ) {
        const { bytesRead } = await file.read(buffer, 0, piece, at);
        hash.update(buffer.subarray(0, bytesRead));
        at += bytesRead;
      }
      hash.digest("hex");
    } finally {
      await file.close();
    }
  });
}

function bareAlone(names: readonly string[]): number {
  const began = performance.now();
  const buffer = Buffer.allocUnsafe(piece);
  for (const name of names) {
    const file = openSync(join(directory, name, "artifact"), "r");
    const hash = createHash("sha256");
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer))
      hash.update(buffer.subarray(0, read));
    hash.digest("hex");
    closeSync(file);
  }
  return perSecond(names.length, began);
}

async function inLanes(names: readonly string[], work: (name: string) => Promise<void>): Promise<number> {
  const began = performance.now();
  const waiting = names.values();
  const lane = async () => {
    for (const name of waiting) await work(name);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return perSecond(names.length, began);
}

/** What a verdict costs beside the hashing. */
async function placeOne(): Promise<number> {
  await placeBundle(directory, makeBundle({ id: "acme-tiny" }));
  const took: number[] = [];
  for (let round = 0; round < 200; round += 1) {
    const began = performance.now();
    await ours(["acme-tiny"]);
    took.push(performance.now() - began);
  }
  return median(took);
}

function perSecond(count: number, began: number): number {
  return (count * artifactBytes * 1_000) / (performance.now() - began);
}

function rate(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB/s`;
}
