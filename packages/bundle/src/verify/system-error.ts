import type { BigIntStats } from "node:fs";
import { Fault } from "@gatehouse/base";
import { type FaultCode, fault } from "@gatehouse/contract";

/** What an error of the system means for a bundle. One that is not here says that it cannot be read. */
const meanings: Record<"directory" | "file", Readonly<Record<string, readonly [code: FaultCode, found: string]>>> = {
  directory: {
    ENOENT: ["bundle.file_missing", "nothing"],
    ENOTDIR: ["bundle.not_a_directory", "something that is no directory"],
    ELOOP: ["bundle.not_a_directory", "a symbolic link"],
  },
  // A file is looked at before it is opened; these say that something else took its place in between.
  file: {
    ENOENT: ["bundle.file_missing", "nothing"],
    ELOOP: ["bundle.not_a_regular_file", "a symbolic link"],
    ENXIO: ["bundle.not_a_regular_file", "a socket or a pipe"],
  },
};

/** The refusal for what the system said about a directory or file of a bundle. A refusal or a defect stays what it is. */
export function refusalOfSystemError(error: unknown, what: "directory" | "file", name: string): unknown {
  const system = findSystemCode(error);
  if (system === undefined) return error;
  const [code, found] = meanings[what][system] ?? ["bundle.unreadable", system];
  const missing = what === "directory" ? "bundle" : name;
  const fields = code === "bundle.file_missing" ? { missing } : {};
  return fault(code, `expected ${what === "directory" ? "a directory" : "a regular file"} ${name}, found ${found}`, {
    fields,
    cause: error,
  });
}

/** What stands in a file's place, in words. */
export function describeKind(stat: BigIntStats): string {
  const kind = kinds.find(([is]) => is(stat));
  return kind === undefined ? "something else" : kind[1];
}

const kinds: ReadonlyArray<readonly [is: (stat: BigIntStats) => boolean, name: string]> = [
  [(stat) => stat.isSymbolicLink(), "a symbolic link"],
  [(stat) => stat.isDirectory(), "a directory"],
  [(stat) => stat.isFIFO(), "a named pipe"],
  [(stat) => stat.isSocket(), "a socket"],
  [(stat) => stat.isCharacterDevice(), "a device"],
  [(stat) => stat.isBlockDevice(), "a block device"],
];

function findSystemCode(error: unknown): string | undefined {
  if (error instanceof Fault || !(error instanceof Error)) return undefined;
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall === undefined ? undefined : code;
}
