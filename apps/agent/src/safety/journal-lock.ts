import { DatabaseSync } from "node:sqlite";
import { fault } from "@gatehouse/contract/faults";

/**
 * One process at a time writes the journal: the helper, or the program that takes a change back. The lock is SQLite's, because the
 * kernel frees it when its holder is killed. The handle stands here: one that nothing refers to is closed by the collector, and a
 * second process would get in.
 */
const held = new Map<string, DatabaseSync>();

export type WithLock = <Value>(act: () => Promise<Value>) => Promise<Value>;

/**
 * Waits so long for another holder, and then throws `journal.locked`. Whoever takes a change back goes on without the lock instead,
 * and is told why: what another holds, or a disk that takes no file, is no reason to leave a host cut off. It waits only once.
 */
export function openJournalLock(path: string, waitMs: number, goOn?: (why: Error) => void): WithLock {
  let turn: Promise<unknown> = Promise.resolve();
  let isWithout = false;
  /** Whether it is to be released again. */
  const tryTake = (): boolean => {
    if (isWithout) return false;
    try {
      take(path, waitMs);
      return true;
    } catch (error) {
      if (goOn === undefined) throw error;
      isWithout = true;
      goOn(error as Error);
      return false;
    }
  };
  const alone = async <Value>(act: () => Promise<Value>): Promise<Value> => {
    const isTaken = tryTake();
    try {
      return await act();
    } finally {
      if (isTaken) release(path);
    }
  };
  // Within this process one after the other: SQLite would see a second try of the same process as a deadlock.
  return (act) => {
    const next = turn.then(() => alone(act));
    turn = next.catch(() => undefined);
    return next;
  };
}

/** Of SQLite: somebody else has it. Anything else is no question of waiting. */
const busy = 5;

function take(path: string, waitMs: number): void {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: waitMs });
    database.exec("BEGIN EXCLUSIVE");
  } catch (cause) {
    database?.close();
    const why =
      (cause as { readonly errcode?: number }).errcode === busy
        ? `another program holds the journal for more than ${waitMs} ms`
        : `it cannot be locked: ${(cause as Error).message}`;
    throw fault("journal.locked", `${path}: ${why}`, { cause });
  }
  held.set(path, database);
}

function release(path: string): void {
  held.get(path)?.close();
  held.delete(path);
}
