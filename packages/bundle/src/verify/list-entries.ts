import { opendir } from "node:fs/promises";
import { fault } from "@gatehouse/contract";
import { bundleLimits } from "./limits.ts";

/** What the plugin directory holds. */
export interface Entries {
  /** Sorted; at most `bundleLimits.entries`. */
  readonly names: readonly string[];
  /** Sorted; entries that are there and are not judged, because there are too many. */
  readonly tooMany: readonly string[];
  /** Whether there are even more than were read. */
  readonly more: boolean;
}

/** The names in the plugin directory. One that does not exist holds none; one that cannot be read is `bundle.unreadable`. */
export async function listEntries(pluginDirectory: string): Promise<Entries> {
  const names: string[] = [];
  let more = false;
  try {
    for await (const entry of await opendir(pluginDirectory, { bufferSize: 256 })) {
      more = names.length === bundleLimits.entriesRead;
      if (more) break;
      names.push(entry.name);
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT") return { names: [], tooMany: [], more: false };
    throw fault("bundle.unreadable", `expected to read the plugin directory, found ${code}`, { cause: error });
  }
  names.sort();
  return { names: names.slice(0, bundleLimits.entries), tooMany: names.slice(bundleLimits.entries), more };
}
