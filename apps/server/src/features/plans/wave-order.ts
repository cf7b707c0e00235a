import type { Blobs } from "@gatehouse/store/blobs";
import type { PlanRecord } from "@gatehouse/contract/records";
import { readWholeBlob } from "./evidence.ts";

const bytesOfPlace = 2;

/** Keeps in which wave each section is. Tags change, and a plan that was started goes on as it was started. */
export function keepWaveOrder(blobs: Blobs, waveOf: readonly number[]): Promise<string> {
  const bytes = Buffer.alloc(bytesOfPlace * waveOf.length);
  for (const [at, wave] of waveOf.entries()) bytes.writeUInt16BE(wave, bytesOfPlace * at);
  return blobs.put([bytes]);
}

/** In which wave a section is; all are in the first where the plan has one wave. */
export async function readWaveOrder(
  blobs: Blobs,
  { run }: Pick<PlanRecord, "run">,
): Promise<(section: number) => number> {
  if (run?.order === undefined) return () => 0;
  const bytes = Buffer.from(await readWholeBlob(blobs, run.order));
  return (section) => bytes.readUInt16BE(bytesOfPlace * section);
}
