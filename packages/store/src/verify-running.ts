import { isAbsent, type Vfs } from "@gatehouse/files";
import type { AuditIndex } from "./audit-index/audit-index.ts";
import { brokenLog, type VerifyArchiveHow, verifyArchive } from "./check-archive.ts";
import { type LogReading, logName, readLog } from "./log-reader.ts";
import type { LogSeal } from "./log-seal.ts";
import type { Broken, Head, VerifyReport } from "./port.ts";

export interface VerifyRunningDeps extends VerifyArchiveHow {
  readonly vfs: Vfs;
  readonly path: string;
  readonly index: AuditIndex;
  readonly seal: Pick<LogSeal, "fits">;
  /** Where the chain begins. */
  readonly floor: Head;
  /** What was acknowledged when this was asked. */
  readonly head: Head;
  /** How much of the log is durable at the moment it is read. */
  readonly size: () => number;
}

/** The chain of a store that runs: archive, then log, and that both lead to what was acknowledged. */
export async function verifyRunning(deps: VerifyRunningDeps): Promise<VerifyReport> {
  const { head } = deps;
  // Up to where the archive ends, which a rotation that was cut short leaves beyond the log's beginning.
  const archived = await verifyArchive(deps.index, deps.floor, deps);
  if (!archived.ok) return { ...archived, head };
  const from = archived.floor;
  const known = [archived.head, from, head];
  const positions = new Set(known.map(({ position }) => position));
  const links = new Map<number, string>();
  const onEnd = (position: number, link: string): void => {
    if (positions.has(position)) links.set(position, link);
  };
  const read = () => readByName(deps, onEnd);
  try {
    const reading = await (deps.runStep?.(read) ?? read());
    const report = { ok: true, floor: from, head: reading.head, records: reading.head.position - from.position };
    const broken = brokenEnd(reading, head) ?? findDetour(reading, links, known);
    return broken === undefined ? report : { ...report, ok: false, broken };
  } catch (error) {
    const broken = isAbsent(error)
      ? brokenAt(archived.head.position + 1, "a file of that name", "none")
      : brokenLog(logName, error);
    return { ok: false, floor: from, head, records: archived.records, broken };
  }
}

/** By its name, as the next start will: a file that somebody put in its place is not the one that is written to. */
async function readByName(deps: VerifyRunningDeps, onEnd: (position: number, link: string) => void) {
  const file = await deps.vfs.open(deps.path, "read");
  try {
    return await readLog({
      file,
      path: deps.path,
      seal: deps.seal,
      size: deps.size(),
      onGroup: ({ first, count, link }) => onEnd(first + count - 1, link),
    });
  } finally {
    await file.close();
  }
}

/** What was durable when it was written must still be there. */
function brokenEnd({ cut, head }: LogReading, acknowledged: Head): Broken | undefined {
  const expected = `records up to ${acknowledged.position}`;
  if (cut !== undefined) return brokenAt(head.position + 1, expected, "an end inside a record");
  if (head.position >= acknowledged.position) return undefined;
  return brokenAt(head.position + 1, expected, `an end at ${head.position}`);
}

/** The log passes through every link that is known from elsewhere. What it begins behind was archived meanwhile. */
function findDetour(
  { base }: LogReading,
  links: ReadonlyMap<number, string>,
  known: readonly Head[],
): Broken | undefined {
  for (const { position, link } of known) {
    if (position < base.position) continue;
    const found = position === base.position ? base.link : links.get(position);
    if (found !== link) return brokenAt(position, `link ${link}`, found === undefined ? "no link" : `link ${found}`);
  }
  return undefined;
}

function brokenAt(position: number, expected: string, found: string): Broken {
  return { file: logName, position, expected, found };
}
