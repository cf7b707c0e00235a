import { readdirSync, readFileSync } from "node:fs";

/** The processes that a process has started and that still run. */
export function childrenOf(parent: number): number[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^[0-9]+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === parent ? [Number(name)] : [];
    } catch {
      // It ended while we looked.
      return [];
    }
  });
}
