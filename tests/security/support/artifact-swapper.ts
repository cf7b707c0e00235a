import { once } from "node:events";
import { renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { Chance } from "./chance.ts";

/** Swaps the file at a path for another and back, in a thread of its own, until it is told to stop. */
export interface ArtifactSwapper {
  swaps(): number;
  /** Leaves the signed bytes in place. */
  stop(): Promise<void>;
}

interface SwapperData {
  readonly path: string;
  /** Where copies wait to be renamed; on the same disk. */
  readonly stash: string;
  readonly signed: Uint8Array;
  readonly forged: Uint8Array;
  readonly inPlace: boolean;
  readonly seed: number;
  readonly shared: SharedArrayBuffer;
}

export interface SwapOptions extends Omit<SwapperData, "shared"> {}

export async function startSwapping(options: SwapOptions): Promise<ArtifactSwapper> {
  const shared = new SharedArrayBuffer(8);
  const words = new Int32Array(shared);
  const data: SwapperData = { ...options, shared };
  const worker = new Worker(new URL(import.meta.url), { workerData: data });
  await once(worker, "message");
  return {
    swaps: () => Atomics.load(words, 1),
    stop: async () => {
      const ended = once(worker, "exit");
      Atomics.store(words, 0, 1);
      await ended;
    },
  };
}

if (!isMainThread) swap(workerData as SwapperData);

function swap({ path, stash, signed, forged, inPlace, seed, shared }: SwapperData): void {
  const words = new Int32Array(shared);
  const pause = new Int32Array(new SharedArrayBuffer(4));
  const chance = new Chance("artifact swapper", seed);
  const aside = join(stash, "aside");
  const target = join(stash, "target");
  writeFileSync(target, forged, { mode: 0o700 });
  const byRenaming = (bytes: Uint8Array) => {
    writeFileSync(aside, bytes, { mode: 0o700 });
    renameSync(aside, path);
  };
  const byWriting = (bytes: Uint8Array) => {
    if (inPlace) writeFileSync(path, bytes);
    else byRenaming(bytes);
  };
  const byLinking = () => {
    symlinkSync(target, aside);
    renameSync(aside, path);
  };
  const byMakingAnew = (bytes: Uint8Array) => {
    rmSync(path, { force: true });
    writeFileSync(path, bytes, { mode: 0o700 });
  };
  const attacks = [() => byRenaming(forged), () => byWriting(forged), byLinking, () => byMakingAnew(forged)];
  // A link is never written through: the signed bytes come back as a file of their own.
  const restore = [() => byRenaming(signed), () => byMakingAnew(signed)];
  parentPort?.postMessage("begun");
  while (Atomics.load(words, 0) === 0) {
    chance.pick(attacks)();
    Atomics.add(words, 1, 1);
    Atomics.wait(pause, 0, 0, chance.next());
    chance.pick(restore)();
    Atomics.add(words, 1, 1);
    Atomics.wait(pause, 0, 0, chance.next() * 10);
  }
}
