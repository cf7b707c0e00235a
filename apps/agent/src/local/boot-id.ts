import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The kernel's own name for this run of the machine; undefined where it gives none. */
export function findBootId(root: string): string | undefined {
  try {
    const text = readFileSync(join(root, "proc/sys/kernel/random/boot_id"), "utf8").trim();
    return /^[0-9a-f-]{36}$/.test(text) ? text : undefined;
  } catch {
    // A container may hide it. It is only shown.
    return undefined;
  }
}
