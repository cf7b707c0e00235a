import { closeSync, constants, fchmodSync, fstatSync, openSync } from "node:fs";
import { fault } from "@gatehouse/contract/faults";

/** Makes sure that `path` is a directory that nobody else can enter: tightened if it was looser. */
export function ownDirectory(path: string): void {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_DIRECTORY);
  try {
    if ((fstatSync(descriptor).mode & 0o7777) !== 0o700) fchmodSync(descriptor, 0o700);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes sure that `path` is a regular file of ours that nobody else can read: made if `create`, tightened if it was looser. */
export function ownFile(path: string, create: boolean): void {
  const flags = constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK | (create ? constants.O_CREAT : 0);
  let descriptor: number;
  try {
    descriptor = openSync(path, flags, 0o600);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT" && !create) return;
    const why = code === "EACCES" || code === "EROFS" ? "cannot be written" : "is not a regular file";
    throw fault("store.directory_unusable", `${path} ${why}`, { cause });
  }
  try {
    const { mode } = fstatSync(descriptor);
    if (!fstatSync(descriptor).isFile()) throw fault("store.directory_unusable", `${path} is not a regular file`);
    if ((mode & 0o077) !== 0) fchmodSync(descriptor, 0o600);
  } finally {
    closeSync(descriptor);
  }
}
