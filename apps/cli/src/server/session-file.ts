import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { chmod, type FileHandle, lstat, mkdir, open, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { parseStrictJson } from "@gatehouse/base";
import { fault } from "@gatehouse/contract";
import type { Surroundings } from "../command.ts";
import { type Cookie, isSessionCookie } from "./session-cookie.ts";

/** What `gatehouse login` keeps: whoever reads it is signed in. */
export interface KeptSession {
  readonly server: string;
  readonly cookie: Cookie;
  readonly id: string;
  readonly username: string;
  readonly expiresAt: string;
}

export type SessionFileDeps = Pick<Surroundings, "environment">;

const sizeLimit = 16 * 1024;

/** The session that is kept; undefined when none is. Refuses a file that others could have read or written. */
export async function findSession(deps: SessionFileDeps): Promise<KeptSession | undefined> {
  const { file } = placeOf(deps);
  let handle: FileHandle;
  try {
    // Not through a link, and not waiting for whoever would write into a pipe of that name.
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return undefined;
    throw unusable(`${file} ${codeOf(cause) === "ELOOP" ? "is a link" : "cannot be opened"}`, cause);
  }
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw unusable(`${file} is not a regular file`);
    if (found.uid !== process.getuid?.()) throw unusable(`${file} belongs to another user`);
    if ((found.mode & 0o077) !== 0) throw unusable(`${file} can be read or written by others; its mode must be 0600`);
    if (found.size > sizeLimit) throw unusable(`${file} is larger than ${sizeLimit} bytes`);
    return parseSession(file, await handle.readFile("utf8"));
  } finally {
    await handle.close();
  }
}

/** Puts the session in place of the one before it, whole or not at all. Gives the file's name. */
export async function keepSession(deps: SessionFileDeps, session: KeptSession): Promise<string> {
  const { directory, file } = placeOf(deps);
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const found = await lstat(directory);
    if (!found.isDirectory()) throw unusable(`${directory} is not a directory, or is a link`);
    if (found.uid !== process.getuid?.()) throw unusable(`${directory} belongs to another user`);
    if ((found.mode & 0o777) !== 0o700) await chmod(directory, 0o700);
    const temporary = `${file}.${randomBytes(8).toString("hex")}`;
    try {
      await writeNew(temporary, `${JSON.stringify(session, null, 2)}\n`);
      await rename(temporary, file);
    } finally {
      await rm(temporary, { force: true });
    }
  } catch (cause) {
    if (codeOf(cause)?.startsWith("cli.")) throw cause;
    throw unusable(`${file} cannot be written`, cause);
  }
  return file;
}

export async function forgetSession(deps: SessionFileDeps): Promise<void> {
  const { file } = placeOf(deps);
  await rm(file, { force: true }).catch((cause: unknown) => {
    throw unusable(`${file} cannot be removed`, cause);
  });
}

async function writeNew(file: string, text: string): Promise<void> {
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

function placeOf({ environment }: SessionFileDeps): { directory: string; file: string } {
  const configured = environment["XDG_CONFIG_HOME"] ?? "";
  // A relative one is to be ignored (XDG base directories): the session must not depend on where a command is run.
  const base = isAbsolute(configured) ? configured : join(environment["HOME"] || homedir(), ".config");
  const directory = join(base, "gatehouse");
  return { directory, file: join(directory, "session.json") };
}

function parseSession(file: string, text: string): KeptSession {
  const read = parseStrictJson(text);
  const value = read.ok ? (read.value as Partial<KeptSession> | null) : undefined;
  const { server, cookie, id, username, expiresAt } = value ?? {};
  const texts = [server, id, username, expiresAt, cookie?.name, cookie?.value];
  if (!texts.every((part) => typeof part === "string") || cookie === undefined || !isSessionCookie(cookie)) {
    throw unusable(`${file} does not hold a session`);
  }
  return value as KeptSession;
}

function unusable(detail: string, cause?: unknown): Error {
  return fault("cli.session_file_unusable", detail, { cause });
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
