import { execFile } from "node:child_process";
import { mkdir, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { isFault } from "@gatehouse/contract";
import { openFileStore } from "@gatehouse/store";
import { checkDirectory } from "./check-directory.ts";
import { Filling } from "./filling.ts";
import { expectedText, readBack } from "./read-back.ts";
import type { Tally } from "./scenario.ts";
import { inScratch } from "./scratch.ts";

const run = promisify(execFile);

/** The same on a file system of the kernel, with SQLite beside it. Needs the right to mount; without it this fails and says so. */
export function fillRealDisk(tally: Tally): Promise<void> {
  return inScratch(async (scratch) => {
    const mountPoint = join(scratch, "disk");
    await mkdir(mountPoint);
    await run("mount", ["-t", "tmpfs", "-o", "size=2m,mode=0700", "tmpfs", mountPoint]).catch((error: unknown) => {
      throw new Error(`a small disk could not be mounted, so the full disk was not tested: ${String(error)}`);
    });
    try {
      await fill(tally, mountPoint);
    } finally {
      await run("umount", [mountPoint]);
    }
  });
}

async function fill(tally: Tally, mountPoint: string): Promise<void> {
  const wrong = (kind: "lost" | "undetected" | "other", what: string): void => tally.fail(kind, `tmpfs: ${what}`);
  const directory = join(mountPoint, "data");
  const ballast = join(mountPoint, "ballast");
  const fatal: unknown[] = [];
  const store = await openFileStore({ directory, checkpointBytes: 100_000, onFatal: (error) => fatal.push(error) });
  const filling = new Filling(store, 1);
  for (let round = 0; round < 3; round += 1) {
    const { bavail, bsize } = await statfs(mountPoint);
    await writeFile(ballast, new Uint8Array(Math.max(0, bavail * bsize - (20_000 + round * 90_000))));
    const refusal = await filling.fill(5_000);
    tally.count("checks");
    if (!isFault(refusal, "store.disk_full")) wrong("other", `a full disk was answered with ${String(refusal)}`);
    // A checkpoint needs space, too. It may fail, but only as a full disk does, and the store goes on.
    await store.checkpoint().catch((error: unknown) => {
      const code = (error as { code?: unknown }).code;
      if (code !== "ENOSPC" && code !== "store.disk_full")
        wrong("other", `a checkpoint on a full disk failed with ${String(error)}`);
    });
    const found = await readBack(store).catch((error: unknown) => String(error));
    if (typeof found === "string") wrong("other", `reading from a full disk failed: ${found}`);
    else if (found.text !== expectedText(found.places)) wrong("undetected", "the records do not follow from the log");
    if (store.health().writable) wrong("other", "a full disk is reported as writable");
    await rm(ballast);
    if (!(await filling.recovers())) wrong("other", "freed space was not used again");
    await store
      .checkpoint()
      .catch((error: unknown) => wrong("other", `a checkpoint after space was freed failed: ${String(error)}`));
  }
  await store.close();
  if (fatal.length > 0) wrong("other", `a full disk ended the process: ${String(fatal[0])}`);
  const verdict = await checkDirectory(directory, {
    acknowledged: filling.acknowledged,
    refused: [...filling.refused].map((n) => ({ run: 1, n })),
    mayMiss: ({ n }) => filling.refused.has(n),
  });
  if (verdict !== undefined) wrong(verdict.kind, verdict.what);
}
