import { readdirSync, readFileSync } from "node:fs";

/** Processes of this suite's plugins that are alive. One that is dead and waits for init is not. */
export function survivors({ mark, nap }: { readonly mark: string; readonly nap: string }): number[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^[0-9]+$/.test(name)) return [];
    try {
      const status = readFileSync(`/proc/${name}/status`, "latin1");
      if (/^State:\s+[ZX]/m.test(status)) return [];
      const isMarked = status.startsWith(`Name:\t${mark}\n`);
      const isNapping = readFileSync(`/proc/${name}/cmdline`, "latin1").split("\0").includes(nap);
      return isMarked || isNapping ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

export function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** The launcher that this process, or the one named, has started. */
export function findLauncher(parent: number = process.pid): number | undefined {
  return readdirSync("/proc")
    .filter((name) => /^[0-9]+$/.test(name))
    .map(Number)
    .find((pid) => {
      try {
        const isLauncher = readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("sandbox/src/launcher/main.ts");
        return (
          isLauncher && new RegExp(`^PPid:\\s+${parent}$`, "m").test(readFileSync(`/proc/${pid}/status`, "latin1"))
        );
      } catch {
        return false;
      }
    });
}
