import { parsePlan, type PlanDocument } from "@gatehouse/plan";
import type { Blobs } from "@gatehouse/store/blobs";
import { readWholeBlob } from "./evidence.ts";

/** The plan that a record names by its blob. */
export async function readDocument(blobs: Blobs, digest: string): Promise<PlanDocument> {
  const reading = parsePlan(await readWholeBlob(blobs, digest));
  if (!reading.ok) throw new Error(`a plan that was kept is none: ${reading.reason}`);
  return reading.value;
}
