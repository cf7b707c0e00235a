import { type DriftTold, driftStates } from "@gatehouse/channel";
import * as z from "zod";
import type { AgentPaths } from "../config.ts";
import { findJsonFile, type JsonFile, putJsonFile } from "../local/json-file.ts";

/** One look at what was confirmed. */
export interface DriftLook {
  /** So many parts are not looked at yet: asked again, the next of them are. What is told counts when there are none left. */
  readonly left: number;
  readonly number: number;
  readonly drift: DriftTold;
}

/** So many parts of a host are hashed again and again: those that were confirmed last. */
export const mostWatched = 256;

const count = z.int().nonnegative();
const digest = z
  .string()
  .length(64)
  .regex(/^[0-9a-f]*$/);

const watchedPart = z.strictObject({
  subject: z.string().max(600),
  task: z.string().max(64),
  plan: digest,
  confirmedAt: count,
  /** Where in the journal the end stands that confirmed it. */
  seq: count,
  /** `absent` is no digest here: nothing that is confirmed leaves a part absent. Null until it was hashed, or where it came too late. */
  expected: digest.nullable(),
  /** `new`: never hashed, so that nobody can say what it was like. */
  state: z.enum(["new", "same", ...driftStates]),
  found: digest.nullable(),
  why: z.string().max(200),
});
export type WatchedPart = z.output<typeof watchedPart>;

const form = z.strictObject({
  v: z.literal(1),
  /** Of the last look that was told. */
  number: count,
  /** When it was. */
  at: count,
  /** Up to which record of the journal every part is known. */
  journal: count,
  /** The subject behind which the next look goes on; empty at the beginning. */
  after: z.string().max(600),
  parts: z.array(watchedPart).max(mostWatched),
});
export type WatchedParts = z.output<typeof form>;

export interface WatchedPlace {
  readonly paths: Pick<AgentPaths, "drift">;
  readonly owner: number;
}

export const nothingWatched: WatchedParts = { v: 1, number: 0, at: 0, journal: 0, after: "", parts: [] };

export function findWatched(place: WatchedPlace): WatchedParts | undefined {
  return findJsonFile(watchedFile(place));
}

export function putWatched(place: WatchedPlace, watched: WatchedParts): Promise<void> {
  return putJsonFile(watchedFile(place), watched);
}

function watchedFile({ paths, owner }: WatchedPlace): JsonFile<WatchedParts> {
  const most = { bytes: 1024 * 1024, items: mostWatched * 16 };
  return { path: paths.drift, owner, mode: 0o600, form, most };
}
