import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { type FaultCode, fault } from "@gatehouse/contract/faults";

export interface OwnedFile {
  readonly path: string;
  /** Whose it must be; `anybody` for what is only shown and decides nothing. */
  readonly owner: number | "anybody";
  /** Mode bits that must not be set: 0o077 for what only its owner reads, 0o022 for what all may read. */
  readonly forbidden: number;
  /** The fault for a file that is not so. */
  readonly unsafe: FaultCode;
  /** What is larger is none of ours. */
  readonly mostBytes?: number;
}

const usualBytes = 1024 * 1024;

/** The bytes of a file that nobody but its owner could have written, or undefined when there is none. No link is followed. */
export function findOwnedFile({
  path,
  owner,
  forbidden,
  unsafe,
  mostBytes = usualBytes,
}: OwnedFile): Uint8Array | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    if (code === "EACCES") throw fault("host.not_root", `${path} can be read by root alone`);
    throw fault(unsafe, `${path}: expected a regular file, found ${code}`, { cause });
  }
  try {
    const found = fstatSync(descriptor);
    const { uid, mode } = found;
    if (!found.isFile() || found.size > mostBytes)
      throw fault(unsafe, `${path}: expected a regular file of at most ${mostBytes} bytes`);
    if (owner !== "anybody" && uid !== owner) throw fault(unsafe, `${path}: expected the owner ${owner}, found ${uid}`);
    if ((mode & forbidden) !== 0) {
      throw fault(unsafe, `${path}: expected no rights of ${octal(forbidden)}, found mode ${octal(mode & 0o7777)}`);
    }
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function octal(mode: number): string {
  return `0${mode.toString(8).padStart(3, "0")}`;
}
