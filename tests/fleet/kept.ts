import { recordKinds } from "@gatehouse/contract/records";
import { type AuditRecord, openFileStore } from "@gatehouse/store";

const pageItems = 1_000;

/** Everything that a data directory keeps while no server has it open: each record by its key, and where the audit log stands. */
export async function readKept(directory: string): Promise<{ records: Map<string, string>; position: number }> {
  const store = await openFileStore({ directory });
  const records = new Map<string, string>();
  for (const kind of recordKinds) {
    let page = await store.list(kind, { limit: pageItems });
    for (;;) {
      for (const { key, version, value } of page) records.set(key.text, JSON.stringify({ version, value }));
      const last = page.at(-1);
      if (last === undefined || page.length < pageItems) break;
      page = await store.list(kind, { limit: pageItems, after: last.key });
    }
  }
  const { position } = await store.head();
  await store.close();
  return { records, position };
}

/** The entries of the audit log after a position, the oldest first. */
export async function readEntriesSince(directory: string, position: number): Promise<readonly AuditRecord[]> {
  const store = await openFileStore({ directory });
  const entries: AuditRecord[] = [];
  let after: number | undefined = position;
  while (after !== undefined) {
    const page = await store.searchAudit({ after, order: "oldest", limit: pageItems });
    entries.push(...page.items);
    after = page.next;
  }
  await store.close();
  return entries;
}

export type Kept = Awaited<ReturnType<typeof readKept>>;

/** What has changed since, and what of it is no business of these nodes: they may say something about themselves, and nothing else. */
export async function findOverreach(
  directory: string,
  before: Kept,
  nodes: ReadonlySet<string>,
): Promise<{ changes: number; overreach: readonly string[] }> {
  const after = await readKept(directory);
  const overreach: string[] = [];
  for (const key of new Set([...before.records.keys(), ...after.records.keys()])) {
    const isSame = before.records.get(key) === after.records.get(key);
    const isOwn = after.records.has(key) && nodes.has(key.replace(/^node\//, ""));
    if (!isSame && !isOwn) overreach.push(`the record ${key} has changed`);
  }
  const entries = await readEntriesSince(directory, before.position);
  for (const { actor, action, subject, position } of entries) {
    const id = actor.replace(/^node:/, "");
    const isOwn = nodes.has(id) && subject === `node/${id}` && action.startsWith("node.");
    if (!isOwn) overreach.push(`entry ${position} is none of a node about itself: ${actor} ${action} ${subject}`);
  }
  return { changes: entries.length, overreach };
}
