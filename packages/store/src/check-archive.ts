import { Fault } from "@gatehouse/base";
import { fault, isFault } from "@gatehouse/contract/faults";
import type { AuditIndex, Flaw } from "./audit-index/audit-index.ts";
import type { Broken, Head, VerifyReport } from "./port.ts";
import { verifyChain } from "./verify-chain.ts";

export const archiveName = "logs.db";

/** How a step of a check is run: alone, or beside other work. */
export type RunStep = <T>(step: () => Promise<T>) => Promise<T>;

/** What a flaw says goes into the audit log, whose entries are for people. */
const longestText = 500;

const atOnce: RunStep = (step) => step();

export interface VerifyArchiveHow {
  readonly runStep?: RunStep | undefined;
  readonly columns?: boolean | undefined;
  /** The end of an earlier walk: only what came after it is read. */
  readonly since?: Head | undefined;
}

/** The archive's chain. One that cannot be read is an answer too: nobody asks for a check to be told of an internal error. */
export async function verifyArchive(
  index: AuditIndex,
  floor: Head,
  { runStep = atOnce, columns = false, since }: VerifyArchiveHow = {},
): Promise<VerifyReport> {
  try {
    const head = await index.archived();
    const from = since !== undefined && since.position > floor.position ? since : floor;
    // An earlier walk went on beyond the archive, into the log.
    if (from === since && from.position > head.position) return { ok: true, floor: from, head: from, records: 0 };
    // What is archived while this goes on was verified when it was written, and waits for the next check.
    const groups = async (after: number, limit: number) =>
      (await runStep(() => index.groups(after, limit))).filter(({ first }) => first <= head.position);
    return await verifyChain({ floor: from, head, groups, columns });
  } catch (error) {
    return { ok: false, floor, head: floor, records: 0, broken: { file: archiveName, ...flawOf(error, floor) } };
  }
}

/** What a start can see. */
export async function findQuickFlaw(index: AuditIndex): Promise<Flaw | undefined> {
  try {
    return await index.quickCheck();
  } catch (error) {
    return flawOf(error, { position: 0 });
  }
}

/**
 * A crash may leave groups that were to be forgotten. They end where the chain begins again: what the log says is forgotten
 * was a group's end.
 */
export async function findFloorFlaw(index: AuditIndex, { position, link }: Head): Promise<Flaw | undefined> {
  const flaw = (expected: string, found: string): Flaw => ({ position, expected, found });
  for (let after = 0, limit = 1; ; limit = 1_000) {
    const page = await index.groups(after, limit);
    if (page.length === 0) return undefined;
    for (const group of page) {
      if (group.first > position) return undefined;
      // One whose entries are gone ends where it begins, or it would be asked for again and again.
      after = group.first + Math.max(group.entries.length, 1) - 1;
      if (after === position) return group.link === link ? undefined : flaw(`link ${link}`, `link ${group.link}`);
      if (after > position) return flaw(`a group that ends at ${position}`, `one from ${group.first} to ${after}`);
    }
  }
}

/** Everything that search goes by. Asked after the chain: it takes the entries for what was written. */
export async function findSearchFlaw(index: AuditIndex, runStep: RunStep = atOnce): Promise<Flaw | undefined> {
  try {
    let step = await runStep(() => index.checkSearch(true));
    while (!step.done) step = await runStep(() => index.checkSearch(false));
    return step.flaw;
  } catch (error) {
    return flawOf(error, { position: 0 });
  }
}

/** All of it behind the chain, as start and check ask it: what they would find must not be called sound by whoever looks offline. */
export async function findArchiveFlaw(index: AuditIndex, floor: Head): Promise<Flaw | undefined> {
  return (await findQuickFlaw(index)) ?? (await findFloorFlaw(index, floor)) ?? (await findSearchFlaw(index));
}

export function describeFlaw({ position, expected, found }: Flaw): string {
  return `position ${position}: expected ${expected}, found ${found}`;
}

/** Refuses files that a start found damaged. */
export function archiveDamaged(flaw: Flaw): Error {
  return fault("store.archive_damaged", `${archiveName}: ${describeFlaw(flaw)}`, { fields: { ...flaw } });
}

/** The log's own refusals carry what was expected where. */
export function brokenLog(file: string, error: unknown): Broken {
  if (!(error instanceof Fault) || error.fields["position"] === undefined) throw error;
  const { position, expected, found } = error.fields;
  return { file, position: Number(position), expected: String(expected), found: String(found) };
}

function flawOf(error: unknown, floor: Pick<Head, "position">): Flaw {
  if (!isFault(error, "store.archive_damaged")) throw error;
  return { position: floor.position + 1, expected: "a readable archive", found: error.detail.slice(0, longestText) };
}
