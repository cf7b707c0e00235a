import type { JsonObject } from "@gatehouse/base";
import type { AuditEntry } from "@gatehouse/contract";
import { fault } from "@gatehouse/contract/faults";
import { auditFloorKey, type RecordKey, type RecordKind } from "@gatehouse/contract/records";
import { memoryIndex } from "./audit-index/memory-index.ts";
import { verifyChain } from "./verify-chain.ts";
import { findGroupEnd } from "./find-group-end.ts";
import { Followers } from "./follow.ts";
import { type Kinds, productKinds } from "./kinds.ts";
import { clampQuery, judgeVersions, writeCommit } from "./judge.ts";
import { encodeGroup, genesis } from "./log-format.ts";
import { type Change, limits, type LoggedEntry, type Store } from "./port.ts";
import { RecordTable } from "./record-table.ts";
import { Turn } from "./turn.ts";

/**
 * The store without a disk, for tests of everything above it. Values are copied through JSON and frozen, so that a
 * feature that keeps a Date or changes a record in place fails here and not after a restart.
 */
export function memoryStore(kinds: Kinds = productKinds): Store {
  const table = new RecordTable();
  const index = memoryIndex();
  const followers = new Followers(() => undefined);
  const turn = new Turn();
  let head = genesis;
  let closed = false;

  const open = (): void => {
    if (closed) throw fault("store.closed", "the store is closed");
  };

  const store: Store = {
    get: async <T extends JsonObject>(key: RecordKey<T>) => {
      open();
      return table.get(key);
    },
    list: async <T extends JsonObject>(kind: RecordKind<T>, page: { after?: RecordKey<T>; limit?: number } = {}) => {
      open();
      return table.list(kind, page.after, Math.min(page.limit ?? limits.pageItems, limits.pageItems));
    },
    // In turn, so that each is judged against all that came before it and nobody sees it before it is acknowledged.
    commit: (entry, changes = [], expects = []) =>
      turn.run(async () => {
        open();
        const texts = writeCommit(kinds, entry, changes);
        judgeVersions((key) => table.versionOf(key), changes, expects);
        const group = encodeGroup(head, [texts.entry], [texts.changes]);
        head = group.head;
        const position = head.position;
        for (const change of changes) table.apply(copied(change), position);
        await index.append(group.bytes);
        await index.archive(head);
        followers.tell([{ ...(JSON.parse(texts.entry) as LoggedEntry), position }]);
        return { position };
      }),
    head: async () => head,
    searchAudit: async (query) => {
      open();
      return index.search(clampQuery(query));
    },
    verifyAudit: () =>
      verifyChain({
        floor: table.get(auditFloorKey)?.value ?? genesis,
        head,
        groups: (after, limit) => index.groups(after, limit),
      }),
    pruneAudit: async (by, position) => {
      open();
      const end = await findGroupEnd((after, limit) => index.groups(after, limit), position);
      const version = table.versionOf(auditFloorKey);
      const value = { position: end.position, link: end.link };
      const entry: AuditEntry = { ...by, action: "audit.pruned", subject: auditFloorKey.text, detail: value };
      const done = await store.commit(entry, [{ key: auditFloorKey, newVersion: version + 1, value }]);
      await index.prune(end.position);
      return done;
    },
    health: () => (closed ? { writable: false, reason: "the store is closed" } : { writable: true }),
    follow: (listener) => followers.add(listener),
    close: async () => {
      closed = true;
    },
  };
  return store;
}

function copied(change: Change): Change {
  return { ...change, value: freeze(JSON.parse(JSON.stringify(change.value)) as Change["value"]) };
}

function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    Object.freeze(value);
    for (const inner of Object.values(value)) freeze(inner);
  }
  return value;
}
