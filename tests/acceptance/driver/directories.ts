import { chmodSync, cpSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scratchVariable } from "./scratch.ts";

/** A directory of its own; it is removed at the end of the run. */
export function freshDirectory(): string {
  return mkdtempSync(join(process.env[scratchVariable] ?? tmpdir(), "place-"));
}

/** A copy of a data directory with the modes the server gives its files; version control forgets them. */
export function copyOfDataDirectory(from: string): string {
  const to = join(freshDirectory(), "data");
  cpSync(from, to, { recursive: true });
  chmodSync(to, 0o700);
  for (const entry of readdirSync(to, { recursive: true, withFileTypes: true })) {
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600);
  }
  return to;
}
