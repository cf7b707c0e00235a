import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, rmdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { fault } from "@gatehouse/contract/faults";
import { launcherLimits } from "../limits.ts";
import { findProblem, headBytes } from "./executable-head.ts";

/** The copy an active plugin runs from: held open, and every start executes this very descriptor. */
export interface StagedCopy {
  readonly directory: string;
  readonly fd: number;
  readonly size: number;
  /** Its first bytes. */
  readonly head: Buffer;
  remove(): Promise<void>;
  close(): Promise<void>;
}

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/**
 * Contract 3.1: a copy with mode 0700 in a private directory, its digest taken twice: while copying, and of the opened copy
 * that will run. No link is followed, and a pipe in the artifact's place cannot hold us up.
 */
export async function stageCopy(directory: string, source: string, sha256: string): Promise<StagedCopy> {
  const from = await open(source, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: unknown) => {
    throw fault("sandbox.staging_failed", `the artifact cannot be opened: ${messageOf(error)}`, { cause: error });
  });
  try {
    const found = await from.stat();
    if (!found.isFile()) throw fault("sandbox.staging_failed", "the artifact is not a regular file");
    await mkdir(directory, { mode: 0o700 });
    const to = await open(join(directory, "artifact"), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o700);
    try {
      expectDigest(await digestOf(from, to), sha256);
    } finally {
      await to.close();
    }
    const copy = await adoptCopy(directory, sha256);
    const problem = findProblem(copy.head, process.arch);
    if (problem === undefined) return copy;
    await copy.close();
    throw fault("sandbox.staging_failed", problem);
  } catch (error) {
    await unlink(join(directory, "artifact")).catch(() => undefined);
    await rmdir(directory).catch(() => undefined);
    throw error;
  } finally {
    await from.close();
  }
}

/** Opens a copy that is there, and trusts nothing about it but its digest. */
export async function adoptCopy(directory: string, sha256: string): Promise<StagedCopy> {
  const home = await open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  const copy = await open(join(directory, "artifact"), O_RDONLY | O_NOFOLLOW).catch(async (error: unknown) => {
    await home.close();
    throw error;
  });
  const close = async () => {
    await copy.close();
    await home.close();
  };
  try {
    expectDigest(await digestOf(copy), sha256);
    const { size } = await copy.stat();
    const { buffer, bytesRead } = await copy.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const head = buffer.subarray(0, bytesRead);
    const remove = async () => {
      // By the directory we hold, whatever its name leads to by now; a planted link is not followed and stays.
      await unlink(`/proc/self/fd/${home.fd}/artifact`).catch(ignoreAbsence);
      await close();
      await rmdir(directory).catch(ignoreAbsence);
    };
    return { directory, fd: copy.fd, size, head, remove, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function digestOf(from: FileHandle, to?: FileHandle): Promise<string> {
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafe(256 * 1024);
  for (let position = 0; ; ) {
    const { bytesRead } = await from.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) return hash.digest("hex");
    position += bytesRead;
    if (position > launcherLimits.artifactBytes)
      throw fault("sandbox.staging_failed", `the artifact is larger than ${launcherLimits.artifactBytes} bytes`);
    const part = buffer.subarray(0, bytesRead);
    hash.update(part);
    if (to !== undefined) await to.writeFile(part);
  }
}

function expectDigest(found: string, expected: string): void {
  // The contract's words (contract 7), as everywhere where bytes are not those that were signed.
  if (found !== expected)
    throw fault("bundle.artifact_digest_mismatch", `artifact digest mismatch: expected ${expected}, found ${found}`);
}

function ignoreAbsence(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
