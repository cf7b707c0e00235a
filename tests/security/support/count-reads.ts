import type { Dir, OpenDirOptions, PathLike } from "node:fs";
import { readFileSync } from "node:fs";
import { systemFiles } from "../../../packages/bundle/src/verify/system-files.ts";

export interface Reads<Value> {
  readonly value: Value;
  /** Bytes of files that the verifier took. */
  readonly bytes: number;
  /** Names of directories that it took. */
  readonly names: number;
  /** Bytes that the whole process read meanwhile, by whatever way. */
  readonly bytesOfProcess: number;
}

/** What judging a bundle reads, counted between the verifier and the disk. One at a time. */
export async function countReads<Value>(work: () => Promise<Value>): Promise<Reads<Value>> {
  const { read, opendir } = systemFiles;
  const counted = { bytes: 0, names: 0 };
  const countingRead = async (...given: Parameters<typeof read>) => {
    const result = await read(...given);
    counted.bytes += result.bytesRead;
    return result;
  };
  const countingOpendir = async (path: PathLike, options: OpenDirOptions) => {
    const directory = await opendir(path, options);
    return {
      async *[Symbol.asyncIterator]() {
        for await (const entry of directory) {
          counted.names += 1;
          yield entry;
        }
      },
    } as Dir;
  };
  Object.assign(systemFiles, { read: countingRead, opendir: countingOpendir });
  try {
    const before = readByProcess();
    const value = await work();
    return { value, ...counted, bytesOfProcess: readByProcess() - before };
  } finally {
    Object.assign(systemFiles, { read, opendir });
  }
}

function readByProcess(): number {
  return Number(/^rchar: (\d+)/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
}
