import { createHash } from "node:crypto";
import { type BigIntStats, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** Every name in a directory with all that could be changed about it. */
export type HostState = ReadonlyMap<string, string>;

/** The only files that an agent writes while it is connected, and names under which they are prepared. */
const own = [
  /^host\/var\/lib\/gatehouse\/(counters|clock)\.json(\.tmp)?$/,
  /^host\/var\/lib\/private\/gatehouse-agent\/(status|window)\.json(\.tmp)?$/,
  /^host\/var\/lib\/private\/gatehouse-agent\/outbox(\/|$)/,
  // The doors of the helper: the recorder's before it, and its own.
  /^host\/run\/gatehouse\/[a-z-]+\.sock$/,
];

/** More than all of these together need: a server that could fill them would fill a disk. */
const mostOwnBytes = 1024 * 1024;

/** All that stands in the directory: kind, mode, owner, when and as which file it was written, content. */
export function readHostState(directory: string): HostState {
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" }).toSorted();
  return new Map(names.filter((name) => !isOwn(name)).map((name) => [name, describe(join(directory, name))]));
}

/** What is otherwise than before, a sentence each. */
export function findChanges(before: HostState, directory: string): string[] {
  const after = readHostState(directory);
  const gone = [...before.keys()].filter((name) => !after.has(name)).map((name) => `${name} is gone`);
  const come = [...after].filter(([name]) => !before.has(name)).map(([name, what]) => `${name} has come: ${what}`);
  const other = [...after]
    .filter(([name, what]) => before.has(name) && before.get(name) !== what)
    .map(([name, what]) => `${name} was ${before.get(name)}, is ${what}`);
  const bytes = ownBytes(directory);
  const grown = bytes > mostOwnBytes ? [`what the agent keeps has grown to ${bytes} bytes`] : [];
  return [...gone, ...come, ...other, ...grown];
}

function isOwn(name: string): boolean {
  return own.some((each) => each.test(name));
}

function describe(path: string): string {
  const found = lstatSync(path, { bigint: true });
  const about = `mode ${(found.mode & 0o7777n).toString(8)}, owner ${found.uid}:${found.gid}`;
  if (found.isSymbolicLink()) return `a link to ${readlinkSync(path)}`;
  if (found.isDirectory()) return `a directory, ${about}`;
  if (!found.isFile()) return `something special, ${about}`;
  return `a file, ${about}, ${writtenAt(found)}, ${digestOf(path)}`;
}

/** A file that was replaced by an equal one was written all the same. */
function writtenAt({ ino, mtimeNs }: BigIntStats): string {
  return `number ${ino}, written ${mtimeNs}`;
}

function digestOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex").slice(0, 16);
}

function ownBytes(directory: string): number {
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter(isOwn);
  // Between two looks a prepared file is renamed.
  const sizes = names.map((name) => lstatSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0);
}
