/**
 * The few file operations that the store and other durable things are made of. Two adapters: the disk (`node-vfs.ts`) and a faulty one in memory
 * (`faulty.ts`) that cuts power, reorders and tears what was not synced.
 */
export interface Vfs {
  /** `create` fails when the file exists; `write` needs it to exist; `read` opens read-only. Created files have mode 0600. */
  open(path: string, mode: "read" | "write" | "create"): Promise<VfsFile>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Makes creations, renames and removals inside `path` durable. */
  syncDirectory(path: string): Promise<void>;
  list(path: string): Promise<readonly string[]>;
  /** Creates the directory with mode 0700 when it is absent. */
  makeDirectory(path: string): Promise<void>;
  /** Fails when there is something in it; does nothing when it is absent. */
  removeDirectory(path: string): Promise<void>;
  /** Free and total bytes where `path` lives. */
  space(path: string): Promise<{ readonly free: number; readonly total: number }>;
}

export interface VfsFile {
  size(): Promise<number>;
  /** Reads up to `length` bytes at `position`; fewer at the end of the file. */
  read(position: number, length: number): Promise<Uint8Array>;
  /** Writes all of `bytes` at `position` or fails. */
  write(bytes: Uint8Array, position: number): Promise<void>;
  truncate(size: number): Promise<void>;
  /** Makes the file's bytes and size durable. A failure means that nothing is known about them any more. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The error `open` gives for an absent file, whatever the adapter. */
export function isAbsent(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === "ENOENT";
}

export function isFull(error: unknown): boolean {
  const code = (error as { code?: unknown } | undefined)?.code;
  return code === "ENOSPC" || code === "EDQUOT";
}
