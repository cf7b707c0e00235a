import type { Ceiling } from "./ceiling.ts";
import { entriesOf } from "./describe-ceiling.ts";
import { ceilingKinds } from "./kinds.ts";

/** Says of a path whether it is a directory now. */
export type IsDirectory = (path: string) => boolean;

/**
 * The part of the helper's unit that makes the kernel keep the ceiling: outside these directories every write fails, whatever the
 * helper believes. A file is replaced by renaming, so that its directory is what has to be open.
 */
export function ceilingDropIn(ceiling: Ceiling, isDirectory: IsDirectory): string {
  const open = writableDirectories(ceiling, isDirectory);
  const updates = entriesOf(ceiling).some(({ kind }) => kind === "agent.update");
  return [
    "# Written by gatehouse-agent ceiling set; the next one replaces it.",
    "[Service]",
    // The hyphen: a directory that is gone later must not keep the helper from starting.
    ...[...open, ...(updates ? ["/usr/lib/gatehouse"] : [])].map((path) => `ReadWritePaths=-${path}`),
    ...(updates ? [] : ["ReadOnlyPaths=-/usr/lib/gatehouse"]),
    "",
  ].join("\n");
}

/** Each once, and none that lies in another. */
export function writableDirectories(ceiling: Ceiling, isDirectory: IsDirectory): string[] {
  const wanted = entriesOf(ceiling)
    .filter(({ kind }) => ceilingKinds[kind].isPath)
    .map(({ target }) => (isDirectory(target) ? target : target.slice(0, target.lastIndexOf("/")) || target));
  const distinct = [...new Set(wanted)].toSorted();
  return distinct.filter((path) => !distinct.some((other) => path !== other && path.startsWith(`${other}/`)));
}
