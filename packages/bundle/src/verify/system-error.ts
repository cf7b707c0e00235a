import type { BigIntStats } from "node:fs";
import { Fault } from "@gatehouse/base";
import { fault } from "@gatehouse/contract";

/** The refusal for what the system said about a directory or file of a bundle. A refusal stays what it is. */
export function refusalOfSystemError(error: unknown, what: "directory" | "file", name: string): Error {
  if (error instanceof Fault) return error;
  const code = codeOf(error);
  if (code === undefined) return error instanceof Error ? error : new Error(String(error));
  if (code === "ENOENT") {
    const missing = what === "directory" ? "bundle" : name;
    return fault("bundle.file_missing", `expected ${name}, found nothing`, { fields: { missing }, cause: error });
  }
  if (code === "ENOTDIR" && what === "directory") {
    return fault("bundle.not_a_directory", `expected a directory, found ${name} to be something else`, {
      cause: error,
    });
  }
  // O_NOFOLLOW answers a link with ELOOP, and a socket cannot be opened at all: both took the file's place just now.
  if (what === "file" && (code === "ELOOP" || code === "ENXIO")) {
    return fault("bundle.not_a_regular_file", `expected ${name} to be a regular file, found ${code}`, { cause: error });
  }
  if (code === "ELOOP") {
    return fault("bundle.not_a_directory", `expected a directory, found ${name} to be a link`, { cause: error });
  }
  return fault("bundle.unreadable", `expected to read ${name}, found ${code}`, { cause: error });
}

/** What stands in a file's place, in a word. */
export function describeKind(stat: BigIntStats): string {
  const kind = kinds.find(([is]) => is(stat));
  return kind?.[1] ?? "something else";
}

const kinds: ReadonlyArray<readonly [is: (stat: BigIntStats) => boolean, name: string]> = [
  [(stat) => stat.isSymbolicLink(), "a symbolic link"],
  [(stat) => stat.isDirectory(), "a directory"],
  [(stat) => stat.isFIFO(), "a named pipe"],
  [(stat) => stat.isSocket(), "a socket"],
  [(stat) => stat.isCharacterDevice() || stat.isBlockDevice(), "a device"],
];

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === "string" ? code : undefined;
}
