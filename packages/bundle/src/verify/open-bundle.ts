import { constants } from "node:fs";
import { join } from "node:path";
import { fault, pluginIdPattern } from "@gatehouse/contract";
import { hashFile, isUnchanged, readWhole } from "./file-bytes.ts";
import { type OpenFile, openEntry, readEntryNames } from "./directory-entries.ts";
import { bundleLimits } from "./limits.ts";
import { printable } from "./printable.ts";
import { refusalOfSystemError } from "./system-error.ts";
import { systemFiles } from "./system-files.ts";

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
    await systemFiles.close(directory);
  }
}

async function openDirectory(pluginDirectory: string, name: string): Promise<number> {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  try {
    return await systemFiles.open(join(pluginDirectory, name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  } catch (error) {
    throw refusalOfSystemError(error, "directory", name);
  }
}

async function checkEntryNames(directory: number): Promise<void> {
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

async function readManifestFile(directory: number): Promise<Uint8Array> {
  const { descriptor, stat } = await openEntry(directory, manifestName);
  try {
    const most = bundleLimits.manifestBytes;
    if (stat.size > most) {
      throw fault("bundle.manifest_too_large", `expected at most ${most} bytes, found ${stat.size}`);
    }
    const bytes = await readWhole(descriptor, Number(stat.size));
    if (bytes === undefined || !(await isUnchanged(descriptor, stat))) throw changed(manifestName);
    return bytes;
  } catch (error) {
    throw refusalOfSystemError(error, "file", manifestName);
  } finally {
    await systemFiles.close(descriptor);
  }
}

async function openArtifact(directory: number, id: string, manifest: Uint8Array): Promise<OpenBundle> {
  const file = await openEntry(directory, artifactName);
  const most = bundleLimits.artifactBytes;
  if (file.stat.size > most) {
    await systemFiles.close(file.descriptor);
    throw fault("bundle.artifact_too_large", `expected at most ${most} bytes, found ${file.stat.size}`);
  }
  let closing: Promise<void> | undefined;
  return {
    id,
    manifest,
    artifactSize: Number(file.stat.size),
    hashArtifact: () => hashArtifact(file),
    // Once only: by then the number of the descriptor may belong to another file.
    close: () => (closing ??= systemFiles.close(file.descriptor)),
  };
}

async function hashArtifact({ descriptor, stat }: OpenFile): Promise<string> {
  try {
    const digest = await hashFile(descriptor, Number(stat.size));
    if (digest === undefined || !(await isUnchanged(descriptor, stat))) throw changed(artifactName);
    return digest;
  } catch (error) {
    throw refusalOfSystemError(error, "file", artifactName);
  }
}

function changed(file: string): Error {
  return fault("bundle.changed_while_read", `expected ${file} to stay as it was when it was opened, found it changed`);
}
