import { setImmediate as othersTurn } from "node:timers/promises";
import { parsePlanInTurns, type PlanDocument } from "@gatehouse/plan";
import type { Blobs } from "@gatehouse/store/blobs";
import { readWholeBlob } from "./evidence.ts";

/** Where bytes of plans lie, and their documents as they are held. */
export interface DocumentReads {
  readonly blobs: Blobs;
  readonly documentOf: (digest: string) => Promise<PlanDocument>;
}

/** The plan that a record names by its blob. */
export async function readDocument(blobs: Blobs, digest: string): Promise<PlanDocument> {
  const reading = await parsePlanInTurns(await readWholeBlob(blobs, digest), othersTurn);
  if (!reading.ok) throw new Error(`a plan that was kept is none: ${reading.reason}`);
  return reading.value;
}
