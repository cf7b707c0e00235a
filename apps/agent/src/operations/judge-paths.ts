import { lstatSync, type Stats } from "node:fs";
import { join } from "node:path";
import { fault } from "@gatehouse/contract/faults";

export interface PathGround {
  /** `/`; another directory in tests alone. */
  readonly root: string;
  /** Whom directories must belong to: root. */
  readonly owner: number;
}

interface PathPart {
  readonly path: string;
  /** Undefined when there is none. */
  readonly found: Stats | undefined;
  readonly isLast: boolean;
}

/**
 * Whether nobody but root has a say in where a written file goes: no link on the way, every directory root's alone, and at the end
 * a file with one name, or nothing. Each step is asked of every path before the next one is.
 */
export function judgePaths(ground: PathGround, paths: readonly string[]): void {
  const walked = paths.flatMap((path) => walk(ground.root, path));
  for (const part of walked) checkLink(part);
  for (const part of walked) checkDirectory(part, ground.owner);
  for (const part of walked) checkKind(part);
}

/** The same of the directories alone, whatever lies at the end of the way. */
export function judgeWay(ground: PathGround, path: string): void {
  const way = walk(ground.root, path).filter(({ isLast }) => !isLast);
  for (const part of way) checkLink(part);
  for (const part of way) checkDirectory(part, ground.owner);
  for (const part of way) checkKind(part);
}

/** The root, and every part of the path as far as there is one: behind a link or a file nothing is looked at. */
function walk(root: string, path: string): PathPart[] {
  const names = path.split("/").slice(1);
  const parts: PathPart[] = [];
  for (let count = 0; count <= names.length; count += 1) {
    const part = `/${names.slice(0, count).join("/")}`;
    const found = lstatSync(join(root, part), { throwIfNoEntry: false });
    parts.push({ path: part, found, isLast: count === names.length });
    if (found?.isDirectory() !== true) break;
  }
  return parts;
}

function checkLink({ path, found }: PathPart): void {
  if (found?.isSymbolicLink() === true) throw fault("path.symlink", `expected no link on the way, found ${path}`);
}

function checkDirectory({ path, found, isLast }: PathPart, owner: number): void {
  if (isLast) return;
  if (found === undefined) throw fault("path.parent", `expected the directory ${path}, found none`);
  if (!found.isDirectory()) return;
  if (found.uid !== owner) throw fault("path.parent", `${path}: expected the owner ${owner}, found ${found.uid}`);
  if ((found.mode & 0o022) !== 0) {
    const mode = (found.mode & 0o7777).toString(8).padStart(4, "0");
    throw fault("path.parent", `${path}: expected a directory that its owner alone can write to, found mode ${mode}`);
  }
}

function checkKind({ path, found, isLast }: PathPart): void {
  if (found === undefined) return;
  if (!isLast) {
    if (!found.isDirectory()) throw fault("path.kind", `expected the directory ${path}, found something else`);
    return;
  }
  if (!found.isFile()) throw fault("path.kind", `${path}: expected a regular file or nothing, found something else`);
  if (found.nlink !== 1) throw fault("path.kind", `${path}: expected a file with one name, found ${found.nlink}`);
}
