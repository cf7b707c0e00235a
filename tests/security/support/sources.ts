import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "./server.ts";

export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** Every file of ours that runs in the product: sources without their tests, the served page, and what deploys it. */
export function productSources(): readonly SourceFile[] {
  const options = { cwd: repository, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 } as const;
  // Files that are not committed yet count too: they are what would be shipped next.
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], options);
  return listed
    .split("\0")
    .filter(
      (path) => /^(apps|packages|plugins|deploy|tools)\//.test(path) && /\.(ts|tsx|js|cjs|mjs|sh|html)$/.test(path),
    )
    .filter((path) => !/(\.test\.tsx?$|-cases\.ts$|^tools\/planted\/)/.test(path))
    .flatMap((path) => readIfPresent(path));
}

function readIfPresent(path: string): SourceFile[] {
  try {
    return [{ path, text: readFileSync(join(repository, path), "utf8") }];
  } catch (error) {
    // Removed, but not yet from the index.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/**
 * The one file of the product that unpacks: an hour of what a node has measured, which the server has packed itself and which is
 * refused beyond the size that an hour can have. Nobody else's bytes come to it, and no other file may do it.
 */
export const unpacksItsOwn = "packages/store/src/telemetry/pack-hour.ts";

/** `file:line: text` for every line that matches. */
export function findInSources(sources: readonly SourceFile[], pattern: RegExp): string[] {
  return sources.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
  );
}
