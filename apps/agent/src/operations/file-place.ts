import { constants, readlinkSync, realpathSync } from "node:fs";
import { type FileHandle, link, lstat, open, rename, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fault } from "@gatehouse/contract/faults";
import { isAbsent } from "@gatehouse/files";
import { judgeWay, type PathGround } from "./judge-paths.ts";

/**
 * The place of a file in its directory, which is held open: what is done there is done in the directory that was judged, whatever
 * becomes of the way to it.
 */
export interface FilePlace extends AsyncDisposable {
  readonly file: string;
  /** What is to take its place, while it is written. */
  readonly next: string;
  /** What it was before a change, under a second name: it is back by renaming it, on a disk that is full as well. */
  readonly before: string;
  /** Makes every change of names in the directory durable. */
  readonly sync: () => Promise<void>;
}

/** What a file is like, besides what it holds. */
export interface FileRights {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

export interface FileContent extends FileRights {
  readonly bytes: Uint8Array;
}

export interface FoundContent extends FileContent {
  /** How many it has. */
  readonly names: number;
}

/** Throws `path.symlink`, `path.parent` or `path.kind` when anybody but root has a say in where the directory is. */
export async function openFilePlace(ground: PathGround, path: string): Promise<FilePlace> {
  judgeWay(ground, path);
  const place = join(realpathSync(ground.root), dirname(path));
  const directory = await open(place, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  const here = `/proc/self/fd/${directory.fd}`;
  const close = () => directory.close();
  // It may have become a link since it was looked at: the kernel knows what was opened.
  if (readlinkSync(here) !== place) {
    await close();
    throw fault("path.parent", `${path}: its directory was moved while it was opened`);
  }
  // No plan can name them, and whoever reads all files of a directory leaves such names out.
  const beside = (what: string) => join(here, `.${basename(path)}.gatehouse-${what}~`);
  return {
    file: join(here, basename(path)),
    next: beside("next"),
    before: beside("before"),
    sync: () => directory.sync(),
    [Symbol.asyncDispose]: close,
  };
}

/** Puts a file there, whole or not at all, and durably. */
export async function replaceFile(place: FilePlace, { bytes, ...rights }: FileContent): Promise<void> {
  await replaceBy(place, rights, (file) => file.writeFile(bytes));
}

/** The same of what is written piece by piece. Nothing has changed when `write` throws. */
export async function replaceBy(
  { file, next, sync }: FilePlace,
  rights: FileRights,
  write: (file: FileHandle) => Promise<void>,
): Promise<void> {
  await removeName(next);
  await writeNew(next, rights, write);
  await rename(next, file);
  await sync();
}

/** Gives what is there a second name, where there is something and the file system has such. An earlier one stays. */
export async function keepBefore({ file, before }: FilePlace): Promise<void> {
  await link(file, before).catch((error: unknown) => {
    if (!noSecondName.has((error as NodeJS.ErrnoException).code)) throw error;
  });
}

const noSecondName: ReadonlySet<string | undefined> = new Set(["ENOENT", "EEXIST", "EPERM", "EOPNOTSUPP", "EMLINK"]);

/** Takes away what only served to take the change back. */
export async function forgetBefore({ next, before, sync }: FilePlace): Promise<void> {
  await removeName(next);
  await removeName(before);
  await sync();
}

/** Gives the file that was there before its name again. It needs no room on the disk. */
export async function returnBefore({ file, next, before, sync }: FilePlace): Promise<void> {
  await rename(before, file);
  // Renaming one name of a file to its other does nothing: the change had not come to the point of replacing it.
  await removeName(before);
  await removeName(next);
  await sync();
}

/** Where nothing was, there is nothing afterwards. */
export async function removeFile({ file, next, before, sync }: FilePlace): Promise<void> {
  for (const name of [file, next, before]) await removeName(name);
  await sync();
}

/** A regular file with one name, or nothing. Throws `path.symlink` or `path.kind`. */
export async function needPlainFile({ file }: FilePlace): Promise<void> {
  const found = await lstat(file).catch(unlessAbsent);
  if (found === undefined) return;
  if (found.isSymbolicLink()) throw fault("path.symlink", "expected no link, found one");
  if (!found.isFile()) throw fault("path.kind", "expected a regular file or nothing, found something else");
  if (found.nlink !== 1) throw fault("path.kind", `expected a file with one name, found ${found.nlink}`);
}

/** Undefined when there is none. Throws `path.kind`, `read.limit` when it is too large, and `state.unreadable` when it changes meanwhile. */
export async function readContent(name: string, mostBytes: number): Promise<FoundContent | undefined> {
  const found = await lstat(name).catch(unlessAbsent);
  if (found === undefined) return undefined;
  // Nothing but a regular file is opened: a device may act when it is.
  if (!found.isFile()) throw fault("path.kind", "expected a regular file, found something else");
  if (found.size > mostBytes) throw fault("read.limit", `expected at most ${mostBytes} bytes`);
  const file = await open(name, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { ino, mode, uid, gid, nlink } = await file.stat();
    const bytes = await file.readFile();
    if (ino !== found.ino || bytes.byteLength !== found.size)
      throw fault("state.unreadable", "it was changed while it was read");
    return { bytes, mode: mode & 0o7777, uid, gid, names: nlink };
  } finally {
    await file.close();
  }
}

async function writeNew(
  name: string,
  { mode, uid, gid }: FileRights,
  write: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  // Nobody's but root's until it is whole.
  const file = await open(name, flags, 0o600);
  try {
    await write(file);
    await file.chown(uid, gid);
    await file.chmod(mode);
    // Owner and mode too: syncing the data alone leaves them behind.
    await file.sync();
  } catch (error) {
    // Why it failed is what has to be told, also where it cannot be taken away again.
    await Promise.allSettled([unlink(name)]);
    throw error;
  } finally {
    await file.close();
  }
}

async function removeName(name: string): Promise<void> {
  await unlink(name).catch(unlessAbsent);
}

function unlessAbsent(error: unknown): undefined {
  if (!isAbsent(error)) throw error;
  return undefined;
}
