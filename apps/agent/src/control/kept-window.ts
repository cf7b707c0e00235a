import { join } from "node:path";
import { channelLimits } from "@gatehouse/channel";
import { isFault } from "@gatehouse/contract/faults";
import * as z from "zod";
import type { AgentPaths } from "../config.ts";
import { findJsonFile, type JsonFile, putJsonFile } from "../local/json-file.ts";

export interface WindowPlace {
  readonly paths: Pick<AgentPaths, "networkState">;
  readonly user: number;
}

/** The window that the last welcome named, for the first attempt after a server was lost. */
export function readKeptWindow(place: WindowPlace): number {
  try {
    return findJsonFile(windowFile(place))?.windowSeconds ?? unsaid;
  } catch (error) {
    // Worth nothing but a good start: a file that is not sound is as good as none.
    if (isFault(error)) return unsaid;
    throw error;
  }
}

export function keepWindow(place: WindowPlace, windowSeconds: number): Promise<void> {
  return putJsonFile(windowFile(place), { schema: 1, windowSeconds });
}

const { least, most, unsaid } = channelLimits.windowSeconds;
const form = z.strictObject({ schema: z.literal(1), windowSeconds: z.int().min(least).max(most) });

function windowFile({ paths, user }: WindowPlace): JsonFile<z.output<typeof form>> {
  return { path: join(paths.networkState, "window.json"), owner: user, mode: 0o600, form };
}
