import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { fault, pluginIdPattern } from "@gatehouse/contract";
import { hashFile, isUnchanged, readWhole, type Snapshot } from "./file-bytes.ts";
import { openEntry, readEntryNames } from "./directory-entries.ts";
import { bundleLimits } from "./limits.ts";
import { printable } from "./printable.ts";
import { refusalOfSystemError } from "./system-error.ts";

/** The two files of a bundle (contract 2.2). */
export const manifestName = "manifest.json";
export const artifactName = "artifact";

/** A bundle that was opened: its manifest's bytes are read, its artifact can be hashed from the descriptor that is held. */
export interface OpenBundle {
  /** The name of its directory. */
  readonly id: string;
  readonly manifest: Uint8Array;
  readonly artifactSize: number;
  hashArtifact(): Promise<string>;
  close(): Promise<void>;
}

/**
 * Opens the bundle `name`; throws a fault `bundle.…` for everything a file system can put in its place. Nothing is
 * followed and nothing is waited for: each file is reached through the descriptor of its directory, must be regular and
 * have one name, and is read up to a bound (security class 40).
 */
export async function openBundle(pluginDirectory: string, name: string): Promise<OpenBundle> {
  if (!pluginIdPattern.test(name)) {
    throw fault("bundle.name_invalid", `expected 2 to 63 of a-z, 0-9 and -, found "${printable(name)}"`);
  }
  const directory = await openDirectory(pluginDirectory, name);
  try {
    await checkEntryNames(directory);
    const manifest = await readManifestFile(directory);
    return await openArtifact(directory, name, manifest);
  } finally {
    await directory.close();
  }
}

async function openDirectory(pluginDirectory: string, name: string): Promise<FileHandle> {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  try {
    return await open(join(pluginDirectory, name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  } catch (error) {
    throw refusalOfSystemError(error, "directory", name);
  }
}

async function checkEntryNames(directory: FileHandle): Promise<void> {
  const names = await readEntryNames(directory);
  const surplus = names.find((entry) => entry !== manifestName && entry !== artifactName);
  if (surplus !== undefined) {
    throw fault(
      "bundle.unexpected_entry",
      `expected ${manifestName} and ${artifactName} only, found "${printable(surplus)}"`,
    );
  }
  const missing = [manifestName, artifactName].find((entry) => !names.includes(entry));
  if (missing !== undefined) {
    throw fault("bundle.file_missing", `expected ${missing}, found nothing`, { fields: { missing } });
  }
}

async function readManifestFile(directory: FileHandle): Promise<Uint8Array> {
  const { handle, stat } = await openEntry(directory, manifestName);
  try {
    if (stat.size > BigInt(bundleLimits.manifestBytes)) {
      throw fault(
        "bundle.manifest_too_large",
        `expected at most ${bundleLimits.manifestBytes} bytes, found ${stat.size}`,
      );
    }
    const bytes = await readWhole(handle, Number(stat.size));
    if (bytes === undefined || !(await isUnchanged(handle, stat))) throw changed(manifestName);
    return bytes;
  } catch (error) {
    throw refusalOfSystemError(error, "file", manifestName);
  } finally {
    await handle.close();
  }
}

async function openArtifact(directory: FileHandle, id: string, manifest: Uint8Array): Promise<OpenBundle> {
  const { handle, stat } = await openEntry(directory, artifactName);
  if (stat.size > BigInt(bundleLimits.artifactBytes)) {
    await handle.close();
    throw fault(
      "bundle.artifact_too_large",
      `expected at most ${bundleLimits.artifactBytes} bytes, found ${stat.size}`,
    );
  }
  return {
    id,
    manifest,
    artifactSize: Number(stat.size),
    hashArtifact: () => hashArtifact(handle, stat),
    close: () => handle.close(),
  };
}

async function hashArtifact(handle: FileHandle, stat: Snapshot): Promise<string> {
  try {
    const digest = await hashFile(handle, Number(stat.size));
    if (digest === undefined || !(await isUnchanged(handle, stat))) throw changed(artifactName);
    return digest;
  } catch (error) {
    throw refusalOfSystemError(error, "file", artifactName);
  }
}

function changed(file: string): Error {
  return fault("bundle.changed_while_read", `expected ${file} to stay as it was when it was opened, found it changed`);
}
