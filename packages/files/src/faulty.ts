import path from "node:path";
import { type FaultyContent, faultyContent } from "./faulty-content.ts";
import { type FaultyError, faultyInjection, type FaultyOp, systemError } from "./faulty-injection.ts";
import { faultyNames, type FaultyNames } from "./faulty-names.ts";
import type { Random } from "./faulty-random.ts";
import type { Vfs, VfsFile } from "./vfs.ts";

export type { FaultyError, FaultyOp } from "./faulty-injection.ts";
export type { Random } from "./faulty-random.ts";

/**
 * A file system in memory that remembers the order of everything, so that one run of a program yields the disks that
 * power loss could have left after each of its operations. Never touches the real disk.
 */
export interface FaultyVfs extends Vfs {
  /** Operations done so far. A cut at `n` leaves what the first `n` operations may have left. */
  readonly ops: number;
  /** Takes a place in the order of operations for something durable outside of these files. */
  tick(): number;
  /** A disk that power loss after operation `op` may have left. */
  imageAt(op: number, random: Random): FaultyVfs;
  /** The same for now. */
  crash(random: Random): FaultyVfs;
  /** Makes the `nth` coming operation of a kind fail (1 is the very next), or all from then on. */
  failNext(op: FaultyOp, nth: number, error: FaultyError, repeat?: "once" | "forever"): void;
  clearFaults(): void;
  /** Bytes that fit; the write that goes beyond fills the disk and then fails with ENOSPC. */
  setCapacity(bytes: number): void;
  /** What every file holds at this moment, durable or not. */
  contents(): Map<string, Uint8Array>;
}

export interface FaultyVfsOptions {
  /** Files that are there and durable, by absolute path. */
  readonly files?: ReadonlyMap<string, Uint8Array>;
  readonly directories?: readonly string[];
  readonly capacity?: number;
  /** Awaited inside every sync: lets other work happen while the disk is busy. */
  readonly syncPause?: () => Promise<void>;
}

export function faultyVfs(options: FaultyVfsOptions = {}): FaultyVfs {
  const files = new Map<string, FaultyContent>();
  for (const [name, bytes] of options.files ?? [])
    files.set(name, faultyContent({ buffer: bytes, size: bytes.length }));
  const directories = new Set(["/", ...(options.directories ?? [])]);
  for (const name of files.keys()) directories.add(path.dirname(name));
  return vfsOver(faultyNames({ files, directories }), options);
}

function vfsOver(names: FaultyNames<FaultyContent>, options: FaultyVfsOptions): FaultyVfs {
  let ops = 0;
  let capacity = options.capacity ?? Number.MAX_SAFE_INTEGER;
  const injection = faultyInjection();
  const tick = (): number => (ops += 1);
  const refuse = (op: FaultyOp, name: string): void => {
    const error = injection.hit(op);
    if (error !== undefined) throw systemError(error === "short" ? "EIO" : error, `${op} ${name}`);
  };
  const free = (): number => {
    let used = 0;
    for (const [, file] of names.files()) used += file.size;
    return Math.max(0, capacity - used);
  };
  const get = (name: string): FaultyContent => {
    const file = names.find(name);
    if (file === undefined) throw systemError("ENOENT", `open ${name}`);
    return file;
  };

  const openFile = (name: string, file: FaultyContent, mode: "read" | "write" | "create"): VfsFile => {
    let open = true;
    const use = (writing: boolean): FaultyContent => {
      if (!open || (writing && mode === "read")) throw systemError("EBADF", name);
      return file;
    };
    return {
      size: async () => use(false).size,
      read: async (position, length) => use(false).read(position, length),
      write: async (bytes, position) => {
        const content = use(true);
        const error = injection.hit("write");
        const room = free() + Math.max(0, content.size - position);
        const fits = error === "short" ? bytes.length >> 1 : error === undefined ? Math.min(bytes.length, room) : 0;
        if (fits > 0) content.write(tick(), bytes.subarray(0, fits), position);
        if (error !== undefined) throw systemError(error === "short" ? "EIO" : error, `write ${name}`);
        if (fits < bytes.length) throw systemError("ENOSPC", `write ${name}`);
      },
      truncate: async (size) => {
        const content = use(true);
        refuse("truncate", name);
        content.truncate(tick(), size);
      },
      sync: async () => {
        const content = use(false);
        const from = ops;
        await options.syncPause?.();
        try {
          refuse("sync", name);
        } catch (error) {
          content.loseTrust();
          throw error;
        }
        content.sync(tick(), from);
      },
      close: async () => {
        use(false);
        open = false;
      },
    };
  };

  return {
    get ops() {
      return ops;
    },
    tick,
    failNext: injection.failNext,
    clearFaults: injection.clear,
    setCapacity: (bytes) => {
      capacity = bytes;
    },
    contents: () => new Map([...names.files()].map(([name, file]) => [name, file.read(0, file.size)])),
    imageAt: (op, random) =>
      vfsOver(
        names.after(op, random, (file) => file.after(op, random)),
        { ...options, capacity },
      ),
    crash(random) {
      return this.imageAt(ops, random);
    },
    open: async (name, mode) => {
      if (mode !== "create") return openFile(name, get(name), mode);
      if (names.find(name) !== undefined) throw systemError("EEXIST", `open ${name}`);
      if (!names.hasDirectory(path.dirname(name))) throw systemError("ENOENT", `open ${name}`);
      refuse("create", name);
      const file = faultyContent();
      names.change(tick(), { kind: "create", name, file });
      return openFile(name, file, mode);
    },
    rename: async (from, to) => {
      get(from);
      if (!names.hasDirectory(path.dirname(to))) throw systemError("ENOENT", `rename ${to}`);
      refuse("rename", from);
      names.change(tick(), { kind: "rename", name: from, to });
    },
    remove: async (name) => {
      if (names.find(name) === undefined) return;
      refuse("remove", name);
      names.change(tick(), { kind: "remove", name });
    },
    syncDirectory: async (directory) => {
      const from = ops;
      await options.syncPause?.();
      refuse("syncDirectory", directory);
      names.syncDirectory(tick(), from, directory);
    },
    list: async (directory) => {
      if (!names.hasDirectory(directory)) throw systemError("ENOENT", `scandir ${directory}`);
      return names.inside(directory);
    },
    makeDirectory: async (name) => {
      const missing: string[] = [];
      for (let at = name; !names.hasDirectory(at); at = path.dirname(at)) missing.unshift(at);
      for (const directory of missing) names.change(tick(), { kind: "directory", name: directory });
    },
    removeDirectory: async (name) => {
      if (!names.hasDirectory(name)) return;
      if (names.inside(name).length > 0) throw systemError("ENOTEMPTY", `rmdir ${name}`);
      refuse("remove", name);
      names.change(tick(), { kind: "no-directory", name });
    },
    space: async () => ({ free: free(), total: capacity }),
  };
}
