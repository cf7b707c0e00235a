import { recordKinds } from "@gatehouse/contract/records";
import type { AuditQuery, AuditRecord, FileStore } from "@gatehouse/store";
import { searchableText, words } from "../../packages/store/src/audit-index/text.ts";

/** Everything that a store answers, as one text for each sort of question. */
export interface Reading {
  readonly records: string;
  readonly entries: string;
  /** Search by every field, word and time that an entry has. */
  readonly searches: string;
}

export async function readAll(store: FileStore): Promise<Reading> {
  const entries = await allEntries(store);
  return {
    records: await allRecords(store),
    entries: JSON.stringify(entries),
    searches: await allSearches(store, entries),
  };
}

async function allRecords(store: FileStore): Promise<string> {
  const lines: string[] = [];
  for (const kind of recordKinds) {
    for (const { key, version, value } of await store.list(kind)) lines.push(JSON.stringify([key, version, value]));
  }
  return lines.join("\n");
}

async function allEntries(store: FileStore): Promise<AuditRecord[]> {
  const entries: AuditRecord[] = [];
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page = await store.searchAudit({ after, order: "oldest", limit: 1_000 });
    entries.push(...page.items);
    after = page.next;
  }
  return entries;
}

async function allSearches(store: FileStore, entries: readonly AuditRecord[]): Promise<string> {
  const lines: string[] = [];
  for (const query of queriesOf(entries)) {
    const { items } = await store.searchAudit({ ...query, limit: 1_000 });
    lines.push(`${JSON.stringify(query)} ${items.map(({ position }) => position).join(",")}`);
  }
  return lines.join("\n");
}

/** Questions of one sort; more would take longer and tell no more. */
const most = 25;

function* queriesOf(entries: readonly AuditRecord[]): Generator<Omit<AuditQuery, "limit">> {
  for (const field of ["actor", "action", "subject"] as const) {
    for (const value of sample(entries.map((entry) => entry[field]))) yield { [field]: value };
  }
  const all = entries.flatMap((entry) => words(searchableText(entry)));
  for (const text of sample(all)) yield { text };
  for (const text of sample(all.map((word) => word.slice(0, 2)))) yield { text };
  for (const at of sample(entries.map((entry) => entry.at))) {
    yield { from: at, to: at + 1 };
    yield { to: at };
  }
}

/** Some of the distinct values, evenly from all of them. */
function sample<T>(values: readonly T[]): T[] {
  const distinct = [...new Set(values)];
  return distinct.filter((_, index) => index % Math.ceil(distinct.length / most) === 0);
}
