import type { LoggedEntry } from "../port.ts";
import type { Flaw } from "./audit-index.ts";
import { spanSize } from "./audit-schema.ts";
import type { AuditStatements } from "./audit-statements.ts";
import { openTextSums } from "./check-text.ts";
import { searchableText, words } from "./text.ts";

const entriesInStep = 1_000;

/**
 * Holds everything that search goes by (columns, indexes, spans of time, words) to what the entries say. In steps, so that
 * searches and checkpoints wait for one step only. What is archived meanwhile is left to the next check.
 */
export function* checkSearch(statements: AuditStatements): Generator<undefined, Flaw | undefined, undefined> {
  const { archived, pruned } = statements.holding();
  const isPruned = () => statements.holding().pruned !== pruned;
  const text = openTextSums(pruned, archived.position);
  const spans = new Map<number, Span>();
  for (let last = pruned; last < archived.position; yield) {
    if (isPruned()) return yield* checkSearch(statements);
    const rows = statements.sql(entriesAfter).all(last, archived.position, entriesInStep) as unknown as EntryRow[];
    if (rows.length === 0) return flaw(last + 1, "an entry", "none");
    for (const row of rows) {
      const position = last + 1;
      if (row.position !== position) return flaw(position, "an entry", "none");
      const entry = readEntry(row);
      if (entry === undefined || row.indexes !== 3) return flaw(position, foundByWhatItSays, filedOtherwise);
      text.add(position, words(searchableText(entry)));
      widen(spans, position, entry.at);
      last = position;
    }
  }
  for (const index of ["audit_actor", "audit_action", "audit_subject"]) {
    const { entries, rows } = statements.sql(countsOf(index)).get() as unknown as Counts;
    if (entries !== rows) return flaw(pruned + 1, `${entries} rows in the index ${index}`, `${rows}`);
    yield;
  }
  const { entries, rows, known } = statements.sql(knownWords).get() as unknown as Counts & { readonly known: number };
  if (entries !== rows || entries !== known) return flaw(pruned + 1, "audit_text to know every entry", "others");
  yield;
  const span = findWrongSpan(statements, spans);
  if (span !== undefined) {
    return flaw(Math.max(span * spanSize, pruned + 1), "the times of its entries in audit_spans", "others");
  }
  const comparison = text.compare(statements);
  for (let step = comparison.next(); ; step = comparison.next()) {
    if (isPruned()) return yield* checkSearch(statements);
    if (step.done === true) {
      return step.value ? undefined : flaw(pruned + 1, "the words of all entries in audit_text", "others");
    }
    yield;
  }
}

export const foundByWhatItSays = "an entry that search finds by what it says";
export const filedOtherwise = "one that is filed as something else";

const isIndexed = (index: string, column: string): string =>
  `(SELECT count(*) FROM main.audit_entries AS i INDEXED BY ${index} WHERE i.${column} = e.${column} AND i.position = e.position)`;

const entriesAfter = `SELECT position, at, actor, action, subject, public,
  ${isIndexed("audit_actor", "actor")} + ${isIndexed("audit_action", "action")} + ${isIndexed("audit_subject", "subject")} AS indexes
  FROM main.audit_entries AS e NOT INDEXED WHERE position > ? AND position <= ? ORDER BY position LIMIT ?`;

const countsOf = (index: string): string => `SELECT (SELECT count(*) FROM main.audit_entries NOT INDEXED) AS entries,
  (SELECT count(*) FROM main.audit_entries INDEXED BY ${index}) AS rows`;

/** By these rows the words of an entry are found when it is pruned. */
const knownWords = `SELECT (SELECT count(*) FROM main.audit_entries NOT INDEXED) AS entries,
  (SELECT count(*) FROM main.audit_text_docsize) AS rows,
  (SELECT count(*) FROM main.audit_text_docsize JOIN main.audit_entries NOT INDEXED ON position = id) AS known`;

interface EntryRow {
  readonly position: number;
  readonly at: number;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly public: string;
  /** In how many of the three indexes it stands. */
  readonly indexes: number;
}

interface Counts {
  readonly entries: number;
  readonly rows: number;
}

interface Span {
  earliest: number;
  latest: number;
}

/** The entry, when its columns say the same. */
function readEntry(row: EntryRow): LoggedEntry | undefined {
  try {
    const entry = JSON.parse(row.public) as LoggedEntry;
    const { at, actor, action, subject } = entry;
    const isSame = at === row.at && actor === row.actor && action === row.action && subject === row.subject;
    return isSame ? entry : undefined;
  } catch {
    return undefined;
  }
}

function widen(spans: Map<number, Span>, position: number, at: number): void {
  const number = Math.floor(position / spanSize);
  const span = spans.get(number);
  if (span === undefined) {
    spans.set(number, { earliest: at, latest: at });
    return;
  }
  span.earliest = Math.min(span.earliest, at);
  span.latest = Math.max(span.latest, at);
}

/** The first and the last may speak for entries that were pruned or archived since: those may be wider, never narrower. */
function findWrongSpan({ sql, holding }: AuditStatements, spans: ReadonlyMap<number, Span>): number | undefined {
  const rows = sql("SELECT span, earliest, latest FROM main.audit_spans ORDER BY span").all() as unknown as (Span & {
    readonly span: number;
  })[];
  const numbers = [...spans.keys()];
  const ends = new Set([numbers[0], numbers.at(-1)]);
  const found = new Map(rows.map((row) => [row.span, row]));
  for (const [number, { earliest, latest }] of spans) {
    const row = found.get(number);
    if (row === undefined || !isTimed(row) || row.earliest > earliest || row.latest < latest) return number;
    if (!ends.has(number) && (row.earliest !== earliest || row.latest !== latest)) return number;
  }
  const { archived, pruned } = holding();
  const isHeld = (span: number) => span >= Math.floor(pruned / spanSize) && span * spanSize <= archived.position;
  return rows.find(({ span }) => !isHeld(span))?.span;
}

/** SQLite keeps whatever it is given in a column of numbers, and compares a text as larger than all of them. */
function isTimed({ earliest, latest }: Span): boolean {
  return Number.isSafeInteger(earliest) && Number.isSafeInteger(latest);
}

function flaw(position: number, expected: string, found: string): Flaw {
  return { position, expected, found };
}
