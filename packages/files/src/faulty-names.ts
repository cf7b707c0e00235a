import path from "node:path";
import type { Random } from "./faulty-random.ts";

/** Which name leads to which file, live and durable. Names survive power loss in the order of their changes, directory by directory. */
export interface FaultyNames<File> {
  find(name: string): File | undefined;
  hasDirectory(name: string): boolean;
  /** Names directly inside `directory`. */
  inside(directory: string): string[];
  files(): Iterable<[string, File]>;
  change(at: number, change: NameChange<File>): void;
  syncDirectory(at: number, from: number, directory: string): void;
  after(cut: number, random: Random, fileAfter: (file: File) => File): FaultyNames<File>;
}

export type NameChange<File> =
  | { readonly kind: "create"; readonly name: string; readonly file: File }
  | { readonly kind: "rename"; readonly name: string; readonly to: string }
  | { readonly kind: "remove"; readonly name: string }
  | { readonly kind: "directory"; readonly name: string }
  | { readonly kind: "no-directory"; readonly name: string };

interface Plane<File> {
  readonly files: Map<string, File>;
  readonly directories: Set<string>;
}

interface PendingChange<File> {
  readonly at: number;
  readonly change: NameChange<File>;
  /** Directories that must be synced before the change is durable. */
  readonly open: Set<string>;
  readonly directories: readonly string[];
  durableAt: number;
}

export function faultyNames<File>(
  initial: Plane<File> = { files: new Map(), directories: new Set() },
): FaultyNames<File> {
  const live = copyOf(initial);
  const changes: PendingChange<File>[] = [];
  const bases = [{ at: -1, plane: initial, changesFrom: 0 }];
  let notDurable = 0;

  return {
    find: (name) => live.files.get(name),
    hasDirectory: (name) => live.directories.has(name),
    inside: (directory) =>
      [...live.files.keys(), ...live.directories]
        .filter((name) => name !== directory && path.dirname(name) === directory)
        .map((name) => path.basename(name))
        .sort(),
    files: () => live.files.entries(),
    change: (at, change) => {
      apply(live, change);
      const directories = [path.dirname(change.name)];
      if (change.kind === "rename" && path.dirname(change.to) !== directories[0])
        directories.push(path.dirname(change.to));
      changes.push({ at, change, directories, open: new Set(directories), durableAt: Infinity });
    },
    syncDirectory: (at, from, directory) => {
      let complete = true;
      for (let index = notDurable; index < changes.length; index += 1) {
        const pending = changes[index] as PendingChange<File>;
        if (pending.at <= from) pending.open.delete(directory);
        if (pending.open.size === 0) pending.durableAt = Math.min(pending.durableAt, at);
        else complete = false;
      }
      if (!complete) return;
      notDurable = changes.length;
      bases.push({ at, plane: copyOf(live), changesFrom: changes.length });
    },
    after: (cut, random, fileAfter) => {
      const base = bases.findLast((candidate) => candidate.at <= cut) as (typeof bases)[number];
      const plane = copyOf(base.plane);
      const pending = changes.slice(base.changesFrom).filter((change) => change.at <= cut);
      for (const change of surviving(pending, cut, random)) apply(plane, change);
      for (const [name, file] of plane.files) {
        // A file whose directory did not survive cannot be found any more.
        if (plane.directories.has(path.dirname(name))) plane.files.set(name, fileAfter(file));
        else plane.files.delete(name);
      }
      return faultyNames(plane);
    },
  };
}

function copyOf<File>(plane: Plane<File>): Plane<File> {
  return { files: new Map(plane.files), directories: new Set(plane.directories) };
}

function apply<File>(plane: Plane<File>, change: NameChange<File>): void {
  if (change.kind === "directory") plane.directories.add(change.name);
  if (change.kind === "no-directory") plane.directories.delete(change.name);
  if (change.kind === "create") plane.files.set(change.name, change.file);
  if (change.kind === "remove") plane.files.delete(change.name);
  if (change.kind !== "rename") return;
  const file = plane.files.get(change.name);
  if (file === undefined) return;
  plane.files.delete(change.name);
  plane.files.set(change.to, file);
}

/** Everything durable, and in each directory some first part of the rest. */
function surviving<File>(pending: readonly PendingChange<File>[], cut: number, random: Random): NameChange<File>[] {
  const left = new Map<string, number>();
  const open = pending.filter((change) => change.durableAt > cut);
  for (const directory of new Set(open.flatMap((change) => change.directories)))
    left.set(directory, random.below(open.length + 1));
  const kept: NameChange<File>[] = [];
  for (const change of pending) {
    const survives = change.durableAt <= cut || change.directories.every((directory) => (left.get(directory) ?? 0) > 0);
    if (survives) kept.push(change.change);
    if (change.durableAt <= cut) continue;
    // One that is lost takes all later ones of its directories with it.
    for (const directory of change.directories) left.set(directory, survives ? (left.get(directory) ?? 0) - 1 : 0);
  }
  return kept;
}
