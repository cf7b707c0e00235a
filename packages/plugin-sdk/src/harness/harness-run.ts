import type { Json } from "@gatehouse/base";
import type { ActionName } from "@gatehouse/contract";
import type { RunCall } from "./speak-with.ts";

/** One action of a plugin, as the harness saw it. */
export interface HarnessRun {
  readonly action: ActionName;
  /** What the plugin answered, when it is something the server would take. */
  readonly result?: Json;
  /** Why the server would not take it. */
  readonly trouble?: string;
  readonly calls: readonly RunCall[];
  readonly stderr: string;
  readonly ms: number;
  readonly peakMemoryBytes: number;
}
