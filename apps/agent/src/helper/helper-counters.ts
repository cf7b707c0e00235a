import { join } from "node:path";
import * as z from "zod";
import type { AgentPaths } from "../config.ts";
import { findJsonFile, type JsonFile, putJsonFile } from "../local/json-file.ts";

/** What the helper must not forget when it ends: it ends after every quiet minute. */
const form = z.strictObject({
  schema: z.literal(1),
  /** Of the last message of facts that was signed. */
  facts: z.int().nonnegative(),
  /** The channel key that was signed last, and when. */
  channel: z.strictObject({ key: z.string().length(43), at: z.int().nonnegative() }).exactOptional(),
});

export type HelperCounters = z.output<typeof form>;

export interface CountersPlace {
  readonly paths: Pick<AgentPaths, "helperState">;
  readonly owner: number;
}

export function readHelperCounters(place: CountersPlace): HelperCounters {
  return findJsonFile(countersFile(place)) ?? { schema: 1, facts: 0 };
}

export function putHelperCounters(place: CountersPlace, counters: HelperCounters): Promise<void> {
  return putJsonFile(countersFile(place), counters);
}

function countersFile({ paths, owner }: CountersPlace): JsonFile<HelperCounters> {
  return { path: join(paths.helperState, "counters.json"), owner, mode: 0o600, form };
}
