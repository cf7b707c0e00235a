import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Everything under a directory that others than its owner could read, write or enter, as `name 0644`. */
export function looseModes(directory: string): string[] {
  const names = [directory, ...list(directory).map((entry) => join(entry.parentPath, entry.name))];
  return names.flatMap((name) => {
    const found = statIfPresent(name);
    if (found === undefined) return [];
    const wanted = found.isDirectory() ? 0o700 : 0o600;
    const mode = found.mode & 0o7777;
    return mode === wanted ? [] : [`${name.slice(directory.length) || "."} 0${mode.toString(8)}`];
  });
}

function list(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { recursive: true, withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** Temporary files go as fast as they come. */
function statIfPresent(name: string) {
  return lstatSync(name, { throwIfNoEntry: false });
}

/**
 * Looks again and again while something else happens, so that files which live for a moment are seen too. With a breath in
 * between: the processor is for what happens.
 */
export async function watchModes<T>(
  directory: string,
  during: () => Promise<T>,
): Promise<{
  readonly result: T;
  readonly loose: readonly string[];
  readonly looks: number;
  readonly names: ReadonlySet<string>;
}> {
  const loose = new Set<string>();
  const names = new Set<string>();
  let looks = 0;
  let next: NodeJS.Timeout | undefined;
  const look = () => {
    looks += 1;
    for (const entry of list(directory)) names.add(entry.name);
    for (const found of looseModes(directory)) loose.add(found);
    next = setTimeout(look, 2);
  };
  look();
  try {
    const result = await during();
    return { result, loose: [...loose], looks, names };
  } finally {
    // Each look sets the next one before anything else can run.
    clearTimeout(next);
  }
}
