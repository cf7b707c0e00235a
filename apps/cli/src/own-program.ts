import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import root from "../../../package.json" with { type: "json" };

/** What this program is: its version and, where it is one file, the SHA-256 of that file. */
export interface OwnProgram {
  readonly version: string;
  readonly sha256: string | null;
}

/** In a checkout this very module is a file of its own, and no digest of one file would say what runs. */
export const isOneFile = !import.meta.filename.endsWith("own-program.ts");

/** Read anew from the disk: whoever prints it compares it with the release notes. */
export function readOwnProgram(): OwnProgram {
  const sha256 = isOneFile
    ? createHash("sha256")
        .update(readFileSync(import.meta.filename))
        .digest("hex")
    : null;
  return { version: root.version, sha256 };
}

export function sayOwnProgram({ version, sha256 }: OwnProgram): string {
  return `gatehouse ${version}, ${sha256 === null ? "of a checkout" : `sha256 ${sha256}`}`;
}
