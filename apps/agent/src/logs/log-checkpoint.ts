import { createHash } from "node:crypto";
import { parseStrictJson } from "@gatehouse/base";
import { hostLogLimits } from "@gatehouse/contract";
import * as z from "zod";

/** Where each log goes on, as the helper says it, by its source. */
export type LogPlaces = ReadonlyMap<string, string>;

/** A name of a source that is short and always the same: sixteen long paths have no room. */
const key = z.string().regex(/^[0-9a-f]{16}$/);
const form = z.strictObject({ v: z.literal(1), at: z.record(key, z.string().max(512)) });

/** The server keeps it and understands nothing of it. Sources that are not followed any more are not in it. */
export function writeLogCheckpoint(sources: readonly string[], places: LogPlaces): string {
  const at = sources.flatMap((source) => {
    const place = places.get(source);
    return place === undefined ? [] : [[keyOf(source), place] as const];
  });
  return JSON.stringify({ v: 1, at: Object.fromEntries(at) } satisfies z.input<typeof form>);
}

/** What is no checkpoint, of nobody or of somebody who made it up, is as good as none: all logs begin at their ends. */
export function readLogCheckpoint(text: string | null): (source: string) => string | undefined {
  if (text === null || text.length > hostLogLimits.checkpointChars) return () => undefined;
  const read = parseStrictJson(text, { depth: 2, keys: 2 + 2 * hostLogLimits.sources, items: 1 });
  const { data } = form.safeParse(read.ok ? read.value : undefined);
  const at = new Map(Object.entries(data?.at ?? {}));
  return (source) => at.get(keyOf(source));
}

function keyOf(source: string): string {
  return createHash("sha256").update(source).digest("hex").slice(0, 16);
}
