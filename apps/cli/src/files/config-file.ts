import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { chmod, type FileHandle, lstat, mkdir, open, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { isFault } from "@gatehouse/contract";
import type { Surroundings } from "../command.ts";
import { errorCode } from "./error-code.ts";

type Where = Pick<Surroundings, "environment">;

/** A file of this program in the directory where a person's programs keep theirs. */
export interface ConfigPlace {
  readonly name: string;
  /** Bytes it may have; 16 KiB without it. */
  readonly most?: number;
  /** The fault of a file that must not be used. */
  readonly unusable: (detail: string, cause?: unknown) => Error;
}

const sizeLimit = 16 * 1024;

/** Where it lies, whether it is there or not. */
export function configFile({ environment }: Where, { name }: Pick<ConfigPlace, "name">): string {
  const configured = environment["XDG_CONFIG_HOME"] ?? "";
  // A relative one is to be ignored (XDG base directories): what is kept must not depend on where a command is run.
  const base = isAbsolute(configured) ? configured : join(environment["HOME"] || homedir(), ".config");
  return join(base, "gatehouse", name);
}

/** What it holds; undefined when it is not there. Refuses a file that others could have read or written. */
export async function findConfigFile(
  where: Where,
  place: ConfigPlace,
): Promise<{ readonly file: string; readonly text: string } | undefined> {
  const { most = sizeLimit, unusable } = place;
  const file = configFile(where, place);
  let handle: FileHandle;
  try {
    // Not through a link, and not waiting for whoever would write into a pipe of that name.
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    if (errorCode(cause) === "ENOENT") return undefined;
    throw unusable(`${file} ${errorCode(cause) === "ELOOP" ? "is a link" : "cannot be opened"}`, cause);
  }
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw unusable(`${file} is not a regular file`);
    if (found.uid !== process.getuid?.()) throw unusable(`${file} belongs to another user`);
    if ((found.mode & 0o077) !== 0) throw unusable(`${file} can be read or written by others; its mode must be 0600`);
    if (found.size > most) throw unusable(`${file} is larger than ${most} bytes`);
    return { file, text: await handle.readFile("utf8") };
  } finally {
    await handle.close();
  }
}

/** Puts a text in place of the one before it, whole or not at all. Gives the file's name. */
export async function keepConfigFile(where: Where, place: ConfigPlace, text: string): Promise<string> {
  const { unusable } = place;
  const file = configFile(where, place);
  const directory = dirname(file);
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const found = await lstat(directory);
    if (!found.isDirectory()) throw unusable(`${directory} is not a directory, or is a link`);
    if (found.uid !== process.getuid?.()) throw unusable(`${directory} belongs to another user`);
    if ((found.mode & 0o777) !== 0o700) await chmod(directory, 0o700);
    const temporary = `${file}.${randomBytes(8).toString("hex")}`;
    try {
      await writePrivate(temporary, text);
      await rename(temporary, file);
    } finally {
      await rm(temporary, { force: true });
    }
  } catch (cause) {
    if (isFault(cause)) throw cause;
    throw unusable(`${file} cannot be written`, cause);
  }
  return file;
}

async function writePrivate(file: string, text: string): Promise<void> {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const handle = await open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    await handle.chmod(0o600);
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
