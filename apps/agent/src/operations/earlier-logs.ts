import { type BigIntStats, realpathSync } from "node:fs";
import { lstat, opendir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isAbsent } from "@gatehouse/files";
import { type EarlierName, earlierNumber, newestNames, readEarlierName } from "./earlier-log-names.ts";

export interface EarlierLog extends EarlierName {
  readonly path: string;
  readonly found: BigIntStats;
}

/** Names of one directory that are read to find the earlier files of a log, and how many of these are looked at. */
const mostNames = 10_000;
const mostLooks = 200;

/** The earlier files of a log, the oldest first: by names that rotation gives, plain files of one name. */
export async function listEarlierLogs(root: string, path: string): Promise<readonly EarlierLog[]> {
  const directory = dirname(path);
  const place = join(realpathSync(root), directory);
  const earlier: EarlierLog[] = [];
  // One after the other: this is asked every two seconds, by root, in a directory that others may fill.
  for (const name of newestNames(await listNames(place, basename(path)), mostLooks)) {
    const read = readEarlierName(basename(path), name);
    const found = await findPlain(join(place, name));
    if (read !== undefined && found !== undefined) earlier.push({ ...read, path: join(directory, name), found });
  }
  return earlier.toSorted(byAge);
}

async function findPlain(place: string): Promise<BigIntStats | undefined> {
  try {
    const found = await lstat(place, { bigint: true });
    return found.isFile() && found.nlink === 1n ? found : undefined;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

async function listNames(directory: string, log: string): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    let count = 0;
    for await (const entry of await opendir(directory)) {
      count += 1;
      if (count > mostNames) break;
      if (readEarlierName(log, entry.name) !== undefined) names.push(entry.name);
    }
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
  return names;
}

/** By when they were written last; in the same moment by name: the higher a number the older, the lower a date. */
function byAge(one: EarlierLog, other: EarlierLog): number {
  if (one.found.mtimeNs !== other.found.mtimeNs) return one.found.mtimeNs < other.found.mtimeNs ? -1 : 1;
  const [first, second] = [earlierNumber(one.path), earlierNumber(other.path)];
  if (first !== undefined && second !== undefined) return second - first;
  return one.path < other.path ? -1 : 1;
}
