import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { childEnvironment } from "../support/child-environment.ts";
import type { Outcome } from "../support/scenario.ts";
import { inScratch } from "../support/scratch.ts";

const ownMounts = ["--mount", "--propagation", "private"];

/**
 * The same on a file system of the kernel, with SQLite beside it. Needs the right to mount; without it this fails and says
 * so. The disk is mounted in a namespace of its own: nobody else ever sees it, and it is gone with its process.
 */
export function fillRealDisk(): Promise<Outcome> {
  return inScratch(async (scratch) => {
    const mountPoint = join(scratch, "disk");
    await mkdir(mountPoint);
    const script = fileURLToPath(new URL("./real-disk.ts", import.meta.url));
    const { stdout } = await promisify(execFile)(
      "unshare",
      [...ownMounts, "--", process.execPath, script, mountPoint],
      { env: childEnvironment() },
    ).catch((error: unknown) => {
      throw new Error(`the full disk was not tested: ${String(error)}`);
    });
    return JSON.parse(stdout) as Outcome;
  });
}
