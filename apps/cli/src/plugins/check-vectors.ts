import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { plantVector, type VectorEntry } from "@gatehouse/bundle/vectors";
import { judgeBundle, parseTrustPolicy, trustLimits } from "@gatehouse/bundle/verify";
import type { RunnerName } from "@gatehouse/contract";
import { readInput } from "../files/read-input.ts";
import { readVectors } from "./read-vectors.ts";

export interface VectorsChecked {
  readonly judged: number;
  readonly differing: readonly { readonly name: string; readonly expected: string; readonly found: string }[];
  readonly skipped: readonly { readonly name: string; readonly why: string }[];
}

/** Judges every vector of a directory, and compares the verdict with the one its index gives. */
export async function checkVectors(directory: string, topic: string): Promise<VectorsChecked> {
  const { entries, strange } = await readVectors(directory, topic);
  const scratch = await mkdtemp(join(tmpdir(), "gatehouse-vectors-"));
  const differing: VectorsChecked["differing"][number][] = [];
  const skipped: VectorsChecked["skipped"][number][] = [];
  try {
    for (const entry of entries) {
      const why = strange.get(entry.name) ?? rootSeesAll(entry) ?? (await findLink(directory, entry));
      if (why !== undefined) {
        skipped.push({ name: entry.name, why });
        continue;
      }
      const found = await judge({ directory, scratch, topic }, entry);
      const expected = entry.code ?? "accepted";
      if (found !== expected) differing.push({ name: entry.name, expected, found });
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return { judged: entries.length - skipped.length, differing, skipped };
}

interface Where {
  readonly directory: string;
  readonly scratch: string;
  readonly topic: string;
}

async function judge({ directory, scratch, topic }: Where, entry: VectorEntry): Promise<string> {
  // What needs links and pipes is planted in a copy; the others are judged where they are.
  const planted = join(scratch, entry.name);
  if (entry.plant.length > 0) await plantVector(directory, entry, planted);
  const trust = await readInput(join(directory, entry.trust), { what: "DIR", topic, most: trustLimits.bytes });
  const verdict = await judgeBundle({
    directory: entry.plant.length > 0 ? planted : join(directory, entry.directory),
    name: entry.entry,
    policy: parseTrustPolicy(trust),
    now: Date.parse(entry.now),
    enabledRunners: new Set(entry.enabledRunners as readonly RunnerName[]),
  });
  return verdict.accepted ? "accepted" : verdict.refusal.code;
}

/** A step that writes into a copied link would write where it leads. No vector is published with one. */
async function findLink(directory: string, { directory: at, plant }: VectorEntry): Promise<string | undefined> {
  if (plant.length === 0) return undefined;
  const found = await readdir(join(directory, at), { recursive: true, withFileTypes: true }).catch(() => []);
  return found.length > 0 && found.every((entry) => entry.isFile() || entry.isDirectory())
    ? undefined
    : "its files are missing, or there is a link among them";
}

function rootSeesAll({ code }: VectorEntry): string | undefined {
  const isRoot = process.getuid?.() === 0;
  return isRoot && code === "bundle.unreadable" ? "nothing is unreadable for root" : undefined;
}
