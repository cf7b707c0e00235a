import { join } from "node:path";
import { nodeVfs, type Vfs } from "@gatehouse/files";
import * as z from "zod";
import type { AgentPaths } from "../config.ts";
import { findJsonFile, type JsonFile, putJsonFile } from "./json-file.ts";

/** Root's word that an enrolment is under way: without it the helper signs none, whoever asks. */
export interface MarkerPlace {
  readonly paths: Pick<AgentPaths, "helperState">;
  readonly owner: number;
  readonly vfs?: Vfs | undefined;
}

/** As long as a code lasts. A marker that a crash has left is worth nothing afterwards. */
export const markerMs = 15 * 60_000;

export async function setEnrolMarker(place: MarkerPlace, now: number): Promise<void> {
  await putJsonFile(markerFile(place), { schema: 1, at: now });
}

export function hasEnrolMarker(place: MarkerPlace, now: number): boolean {
  const found = findJsonFile(markerFile(place));
  return found !== undefined && now >= found.at && now - found.at <= markerMs;
}

export function removeEnrolMarker(place: MarkerPlace): Promise<void> {
  return (place.vfs ?? nodeVfs).remove(markerFile(place).path);
}

const form = z.strictObject({ schema: z.literal(1), at: z.int().nonnegative() });

function markerFile({ paths, owner, vfs }: MarkerPlace): JsonFile<z.output<typeof form>> {
  return { path: join(paths.helperState, "enrolling.json"), owner, mode: 0o600, form, vfs };
}
