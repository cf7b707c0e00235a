import { execFileSync } from "node:child_process";
import { rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isFault } from "@gatehouse/contract";
import { type FileStore, openFileStore } from "@gatehouse/store";
import { inventedKinds } from "../support/invented-kinds.ts";
import { Tally } from "../support/scenario.ts";
import { checkDirectory } from "./check-directory.ts";
import { Filling } from "./filling.ts";
import { type Harm, harms } from "./harms.ts";
import { expectedText, readBack } from "./read-back.ts";
import { until } from "../support/until.ts";

/** `node real-disk.ts <mount point>`: mounts a disk of 2 MiB, fills it, frees it, fills it again, and says what it found. */
const [mountPoint = ""] = process.argv.slice(2);
const size = 2 * 1024 * 1024;
execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size},mode=0700`, "tmpfs", mountPoint]);
const tally = new Tally();
await fill();
process.stdout.write(JSON.stringify(tally.outcome()));

function wrong(kind: Harm, what: string): void {
  tally.fail(`tmpfs: ${what}`, harms[kind]);
}

async function fill(): Promise<void> {
  const directory = join(mountPoint, "data");
  const ballast = join(mountPoint, "ballast");
  const fatal: unknown[] = [];
  const store = await openFileStore({
    directory,
    kinds: inventedKinds,
    checkpointBytes: 100_000,
    onFatal: (error) => fatal.push(error),
  });
  const filling = new Filling(store, 1);
  for (let round = 0; round < 3; round += 1) {
    // In the first round less is left than counts as full: no checkpoint can make room again.
    await writeFile(ballast, new Uint8Array(Math.max(0, (await freeBytes()) - (20_000 + round * 90_000))));
    const refusal = await filling.fill(5_000);
    tally.count("checks");
    if (!isFault(refusal, "store.disk_full")) wrong("other", `a full disk was answered with ${String(refusal)}`);
    await until("a full disk is not reported as writable", () => isReported(store));
    await lookAround(store);
    await rm(ballast);
    await until("freed space is used again", () => filling.tryAgain());
    await store
      .checkpoint()
      .catch((error: unknown) => wrong("other", `a checkpoint after space was freed failed: ${String(error)}`));
  }
  await store.close();
  await startOnFull(directory, ballast);
  if (fatal.length > 0) wrong("other", `a full disk ended the process: ${String(fatal[0])}`);
  const verdict = await checkDirectory(directory, {
    acknowledged: filling.acknowledged,
    refused: [...filling.refused].map((n) => ({ run: 1, n })),
    mayMiss: ({ n }) => filling.refused.has(n),
  });
  if (verdict !== undefined) wrong(verdict.kind, verdict.what);
}

/** Reading does not end with the first restart. */
async function startOnFull(directory: string, ballast: string): Promise<void> {
  await writeFile(ballast, new Uint8Array(await freeBytes()));
  tally.count("checks");
  const store = await openFileStore({ directory, kinds: inventedKinds }).catch((error: unknown) =>
    wrong("other", `a start on a full disk was refused: ${String(error)}`),
  );
  if (store !== undefined) await lookAround(store);
  await rm(ballast);
  await store?.close();
}

/** A checkpoint that was under way may have made room since the refusal; then nothing is to be reported. */
async function isReported(store: FileStore): Promise<boolean> {
  return !store.health().writable || (await freeBytes()) >= size * 0.02;
}

async function lookAround(store: FileStore): Promise<void> {
  // A checkpoint needs space, too. It may fail, but only as a full disk does, and the store goes on.
  await store.checkpoint().catch((error: unknown) => {
    const code = (error as { code?: unknown }).code;
    if (code !== "ENOSPC" && code !== "store.disk_full")
      wrong("other", `a checkpoint on a full disk failed with ${String(error)}`);
  });
  const found = await readBack(store).catch((error: unknown) => String(error));
  if (typeof found === "string") wrong("other", `reading from a full disk failed: ${found}`);
  else if (found.text !== expectedText(found.places)) wrong("undetected", "the records do not follow from the log");
}

async function freeBytes(): Promise<number> {
  const { bavail, bsize } = await statfs(mountPoint);
  return bavail * bsize;
}
