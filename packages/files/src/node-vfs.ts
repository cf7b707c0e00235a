import { constants, fdatasync, read, write } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir, stat, statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fault } from "@gatehouse/contract/faults";
import { isAbsent, type Vfs, type VfsFile } from "./vfs.ts";

const flags = {
  // Without O_NONBLOCK a named pipe in a file's place would hold the start for ever.
  read: constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  write: constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  create: constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
};

/** The disk. Files are 0600 and directories 0700 from their first moment; no link is ever followed. */
export const nodeVfs: Vfs = {
  open: async (path, mode) => new DiskFile(await openRegular(path, flags[mode])),
  rename,
  remove: (path) => rm(path, { force: true }),
  syncDirectory: async (path) => {
    const directory = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      await directory.sync();
    } finally {
      await directory.close();
    }
  },
  list: (path) => readdir(path),
  makeDirectory: (path) => makeDirectory(resolve(path)),
  removeDirectory: async (path) => {
    await rmdir(path).catch((error: unknown) => {
      if (!isAbsent(error)) throw error;
    });
  },
  space: async (path) => {
    const found = await statfs(path);
    return { free: found.bavail * found.bsize, total: found.blocks * found.bsize };
  },
};

async function openRegular(path: string, flag: number): Promise<FileHandle> {
  const notRegular = (cause?: unknown) => fault("store.directory_unusable", `${path} is not a regular file`, { cause });
  const handle = await open(path, flag, 0o600).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    throw code === "ELOOP" || code === "EISDIR" || code === "ENXIO" ? notRegular(error) : error;
  });
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw notRegular();
}

/** Parents first. Node's own recursive mkdir never ends where a file system says ENOENT to every new name, as /proc does. */
async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && (await stat(path)).isDirectory()) return;
    if (code !== "ENOENT" || dirname(path) === path) throw error;
    const parent = dirname(path);
    if (await isDirectory(parent)) throw error;
    await makeDirectory(parent);
    await nodeVfs.syncDirectory(dirname(parent));
    await mkdir(path, { mode: 0o700 });
  }
}

function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** Plain callbacks on the descriptor: the log's hot path pays for no promise it does not need. */
class DiskFile implements VfsFile {
  readonly #handle: FileHandle;
  readonly #fd: number;

  constructor(handle: FileHandle) {
    this.#handle = handle;
    this.#fd = handle.fd;
  }

  async size(): Promise<number> {
    return (await this.#handle.stat()).size;
  }

  async read(position: number, length: number): Promise<Uint8Array> {
    const buffer = Buffer.allocUnsafe(length);
    let done = 0;
    while (done < length) {
      const got = await this.#readSome(buffer, done, length - done, position + done);
      if (got === 0) break;
      done += got;
    }
    return buffer.subarray(0, done);
  }

  #readSome(buffer: Buffer, offset: number, length: number, position: number): Promise<number> {
    return new Promise((resolve, reject) => {
      read(this.#fd, buffer, offset, length, position, (error, got) => (error ? reject(error) : resolve(got)));
    });
  }

  write(bytes: Uint8Array, position: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const writeFrom = (done: number): void => {
        write(this.#fd, bytes, done, bytes.length - done, position + done, (error, wrote) => {
          if (error) reject(error);
          else if (done + wrote >= bytes.length) resolve();
          // A write of nothing without an error would loop for ever; some full disks answer that way.
          else if (wrote === 0) reject(Object.assign(new Error("the disk took no bytes"), { code: "ENOSPC" }));
          else writeFrom(done + wrote);
        });
      };
      writeFrom(0);
    });
  }

  truncate(size: number): Promise<void> {
    return this.#handle.truncate(size);
  }

  sync(): Promise<void> {
    return new Promise((resolve, reject) => {
      fdatasync(this.#fd, (error) => (error ? reject(error) : resolve()));
    });
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}
