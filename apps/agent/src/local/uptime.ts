import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findBootId } from "./boot-id.ts";

/** How long the machine has been running, asleep or awake, and in which run: a clock that nobody sets. */
export interface Uptime {
  readonly boot: string;
  readonly ms: number;
}

/** Undefined where the kernel does not say both. */
export function findUptime(root: string): Uptime | undefined {
  const boot = findBootId(root);
  const seconds = /^(\d{1,12}\.\d{2}) /.exec(readUptime(root))?.[1];
  return boot === undefined || seconds === undefined ? undefined : { boot, ms: Math.round(Number(seconds) * 1_000) };
}

function readUptime(root: string): string {
  try {
    return readFileSync(join(root, "proc/uptime"), "utf8");
  } catch {
    // A container may hide it; then the wall clock alone counts.
    return "";
  }
}
