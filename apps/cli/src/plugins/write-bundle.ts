import { createHash, randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { chmod, type FileHandle, lstat, mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { artifactName, bundleLimits, type Manifest, manifestName, serialiseManifest } from "@gatehouse/bundle/verify";
import { UsageError } from "@gatehouse/command-line";
import { fault } from "@gatehouse/contract";
import { cannotWrite, openNew, syncDirectory, writeNew } from "../files/write-new.ts";

export interface NewBundle {
  readonly out: string;
  readonly id: string;
  readonly artifact: string;
  readonly topic: string;
  /** Makes the manifest, when the artifact's bytes are known. */
  readonly manifestOf: (artifact: Manifest["artifact"]) => Manifest;
}

const readBytes = 1024 * 1024;

/** Writes `<out>/<id>/` with its two files, whole or not at all, and never over anything. Gives what it wrote. */
export async function writeBundle({ out, id, artifact, topic, manifestOf }: NewBundle) {
  const directory = join(out, id);
  await mkdir(out, { recursive: true }).catch((cause: unknown) => {
    throw cannotWrite(out, cause);
  });
  await refuseExisting(directory);
  const temporary = join(out, `.${id}.${randomBytes(8).toString("hex")}`);
  try {
    await mkdir(temporary);
    await chmod(temporary, 0o755);
    const written = await copyArtifact(artifact, join(temporary, artifactName), topic);
    const manifest = manifestOf(written);
    await writeNew(join(temporary, manifestName), serialiseManifest(manifest), 0o644);
    await refuseExisting(directory);
    await rename(temporary, directory).catch((cause: unknown) => {
      throw cannotWrite(directory, cause);
    });
    await syncDirectory(out);
    return { directory, manifest };
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Puts another manifest into a bundle, whole or not at all. */
export async function replaceManifest(directory: string, manifest: Manifest): Promise<void> {
  // Beside the bundle and not in it: a bundle holds two files, at every moment.
  const temporary = join(directory, "..", `.${manifest.id}.${randomBytes(8).toString("hex")}`);
  try {
    await writeNew(temporary, serialiseManifest(manifest), 0o644);
    await rename(temporary, join(directory, manifestName));
    await syncDirectory(directory);
  } finally {
    await rm(temporary, { force: true });
  }
}

async function refuseExisting(path: string): Promise<void> {
  if ((await lstat(path).catch(() => undefined)) === undefined) return;
  throw fault("cli.exists", `${path} exists already, and nothing is written over it`);
}

/** Copies and hashes in one pass, so that the digest is that of the bytes in the bundle. */
async function copyArtifact(from: string, to: string, topic: string): Promise<Manifest["artifact"]> {
  const source = await open(from, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: Error) => {
    throw new UsageError(`ARTIFACT: ${error.message}`, topic);
  });
  let target: FileHandle | undefined;
  try {
    const found = await source.stat();
    if (!found.isFile()) throw new UsageError(`ARTIFACT: ${JSON.stringify(from)} is not a regular file`, topic);
    target = await openNew(to, 0o644);
    const hash = createHash("sha256");
    const part = Buffer.alloc(readBytes);
    let size = 0;
    for (;;) {
      const { bytesRead } = await source.read(part, 0, part.length, null);
      if (bytesRead === 0) break;
      size += bytesRead;
      if (size > bundleLimits.artifactBytes) {
        throw fault("bundle.artifact_too_large", `expected at most ${bundleLimits.artifactBytes} bytes, found more`);
      }
      hash.update(part.subarray(0, bytesRead));
      await target.writeFile(part.subarray(0, bytesRead));
    }
    await target.sync();
    return { sha256: hash.digest("hex"), size };
  } finally {
    await target?.close();
    await source.close();
  }
}
