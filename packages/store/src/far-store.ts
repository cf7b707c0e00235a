/**
 * Far: a database in memory that several stores use as replicas use one far away, for tests of everything above the store.
 * Never waits for a clock: what waits, waits for a number of turns of the event loop that a seed decides.
 */
import { setImmediate as turn } from "node:timers/promises";
import type { JsonObject } from "@gatehouse/base";
import type { AuditEntry } from "@gatehouse/contract";
import { fault, isFault } from "@gatehouse/contract/faults";
import { auditFloorKey, type RecordKey, type RecordKind } from "@gatehouse/contract/records";
import { Random } from "../../../tests/support/random.ts";
import { memoryIndex } from "./audit-index/memory-index.ts";
import { deepFreeze } from "./deep-freeze.ts";
import { findGroupEnd } from "./find-group-end.ts";
import { Followers } from "./follow.ts";
import { clampQuery, judgeVersions, writeCommit } from "./judge.ts";
import { type Kinds, productKinds } from "./kinds.ts";
import { encodeGroup, genesis } from "./log-format.ts";
import {
  type Change,
  type Expect,
  type Head,
  limits,
  type LoggedEntry,
  type Read,
  type Store,
  type StoredRecord,
  type Told,
  type VerifyReport,
  type Version,
} from "./port.ts";
import { verifyChain } from "./verify-chain.ts";

export interface FarOptions {
  readonly seed?: number;
  /** Turns that a step may take. With 0 it is the store of one process: nothing is late, and followers hear before the answer. */
  readonly slow?: number;
  readonly kinds?: Kinds;
}

export interface FarReplica {
  readonly store: Store;
  /** The next commit gets no answer, and was or was not kept. */
  loseAnswer(fate: "kept" | "not kept"): void;
  /** From now on nothing is heard of the database. */
  cutOff(): void;
  mend(): void;
}

/** The store without a disk and without delays. */
export function memoryStore(kinds: Kinds = productKinds): Store {
  return farDatabase({ slow: 0, kinds }).openReplica().store;
}

export function farDatabase({ seed = 1, slow = 4, kinds = productKinds }: FarOptions = {}) {
  const database = new Database(new Random(seed), slow, kinds);
  return { openReplica: (): FarReplica => new Replica(database) };
}

/** What is kept of a key. A removed record stays known by its version, so that nothing older takes its place. */
interface Known {
  readonly key: RecordKey;
  readonly version: Version;
  readonly value: JsonObject | null;
}

interface Kept {
  readonly texts: { readonly entry: string; readonly changes: string };
  readonly changed: Told["changed"];
}

class Database {
  readonly records = new Map<string, Known>();
  readonly index = memoryIndex();
  readonly told: Told[] = [];
  readonly kinds: Kinds;
  readonly random: Random;
  readonly slow: number;
  readonly onTold = new Set<() => void>();
  head: Head = genesis;
  /** Not positions, and with holes: nobody may rely on either. */
  #version = 1_000;
  #unnumbered: Kept[] = [];
  #numbering: Promise<void> | undefined;

  constructor(random: Random, slow: number, kinds: Kinds) {
    this.random = random;
    this.slow = slow;
    this.kinds = kinds;
  }

  async wait(): Promise<void> {
    for (let turns = this.slow === 0 ? 0 : this.random.below(this.slow + 1); turns > 0; turns -= 1) await turn();
  }

  /** The one place where versions are judged, one commit after the other. */
  keep(texts: Kept["texts"], changes: readonly Change[], expects: readonly Expect[]): Version {
    judgeVersions(({ text }) => versionOf(this.records.get(text)), changes, expects);
    this.#version += 1 + this.random.below(3);
    const version = this.#version;
    for (const { key, value } of changes) this.records.set(key.text, { key, version, value: copyOf(value) });
    const changed = changes.map(({ key, value }) => ({ key, version, removed: value === null }));
    this.#unnumbered.push({ texts, changed });
    this.#numbering ??= this.#number();
    return version;
  }

  async #number(): Promise<void> {
    if (this.slow > 0) {
      await this.wait();
      await turn();
    }
    while (this.#unnumbered.length > 0) {
      for (const { texts, changed } of this.#unnumbered.splice(0)) {
        const group = encodeGroup(this.head, [texts.entry], [texts.changes]);
        this.head = group.head;
        await this.index.append(group.bytes);
        await this.index.archive(this.head);
        this.told.push({ position: this.head.position, entry: JSON.parse(texts.entry) as LoggedEntry, changed });
      }
    }
    this.#numbering = undefined;
    for (const hear of this.onTold) hear();
  }

  async numbered(): Promise<void> {
    while (this.#numbering !== undefined) await this.#numbering;
  }
}

class Replica implements FarReplica {
  readonly store: Store;
  readonly #database: Database;
  readonly #cache: Map<string, Known>;
  readonly #followers = new Followers(() => undefined);
  readonly #fates: ("kept" | "not kept")[] = [];
  #heard: number;
  #isClosed = false;
  #isCut = false;
  #isCatchingUp = false;

  constructor(database: Database) {
    this.#database = database;
    this.#cache = new Map(database.records);
    this.#heard = database.told.length;
    const hear = () => void this.#catchUp();
    database.onTold.add(hear);
    this.store = {
      get: (key, read) => this.#get(key, read),
      list: (kind, page) => this.#list(kind, page),
      commit: (entry, changes = [], expects = []) => this.#commit(entry, changes, expects),
      head: async () => {
        await this.#reachNumbered();
        return database.head;
      },
      linkAt: async (position) => {
        await this.#reachNumbered();
        return database.index.linkAt(position);
      },
      searchAudit: async (query) => {
        await this.#reachNumbered();
        return database.index.search(clampQuery(query));
      },
      verifyAudit: (since) => this.#verify(since),
      // Its search looks at the entries themselves.
      checkAudit: () => this.#verify(),
      pruneAudit: (by, position) => this.#prune(by, position),
      health: () => this.#health(),
      follow: (listener) => this.#followers.add(listener),
      close: async () => {
        this.#isClosed = true;
        database.onTold.delete(hear);
      },
    };
  }

  loseAnswer(fate: "kept" | "not kept"): void {
    this.#fates.push(fate);
  }

  cutOff(): void {
    this.#isCut = true;
  }

  mend(): void {
    this.#isCut = false;
    void this.#catchUp();
  }

  async #verify(since: Head = genesis): Promise<VerifyReport> {
    await this.#reachNumbered();
    const { head, index } = this.#database;
    const floor = this.#floor();
    const from = since.position > floor.position ? since : floor;
    return verifyChain({ floor: from, head, groups: (...page) => index.groups(...page) });
  }

  async #get<T extends JsonObject>(key: RecordKey<T>, read: Read = {}): Promise<StoredRecord<T> | undefined> {
    this.#requireOpen();
    if (read.newest === true) {
      await this.#reach();
      this.#refresh(key.text);
    }
    return recordOf(this.#cache.get(key.text));
  }

  async #list<T extends JsonObject>(
    { name }: RecordKind<T>,
    page: Read & { readonly after?: RecordKey<T>; readonly limit?: number } = {},
  ): Promise<readonly StoredRecord<T>[]> {
    this.#requireOpen();
    if (page.newest === true) {
      await this.#reach();
      for (const text of this.#database.records.keys()) this.#refresh(text);
    }
    const after = page.after?.text ?? "";
    return [...this.#cache.values()]
      .filter(({ key, value }) => key.kind.name === name && value !== null && key.text > after)
      .sort((a, b) => (a.key.text < b.key.text ? -1 : 1))
      .slice(0, Math.min(page.limit ?? limits.pageItems, limits.pageItems))
      .flatMap((known) => recordOf<T>(known) ?? []);
  }

  async #commit(entry: AuditEntry, changes: readonly Change[], expects: readonly Expect[]) {
    this.#requireOpen();
    if (this.#isCut) throw fault("store.unavailable", "the database does not answer");
    const texts = writeCommit(this.#database.kinds, entry, changes);
    for (const { value } of changes) deepFreeze(value);
    const fate = this.#fates.shift();
    await this.#database.wait();
    if (this.#isCut || fate === "not kept") throw unknownOutcome();
    try {
      const version = this.#database.keep(texts, changes, expects);
      // Others may see it before its writer is told.
      if (this.#database.slow === 0) await this.#database.numbered();
      else await this.#database.wait();
      if (this.#isCut || fate === "kept") throw unknownOutcome();
      for (const { key } of changes) this.#refresh(key.text);
      return { version };
    } catch (error) {
      // Whoever lost a race reads at least what it lost against.
      if (isFault(error, "store.conflict")) this.#refresh(String(error.fields["key"]));
      throw error;
    }
  }

  async #prune(by: { readonly actor: string; readonly at: number }, position: number) {
    await this.#reachNumbered();
    const { index } = this.#database;
    const end = await findGroupEnd((after, limit) => index.groups(after, limit), position);
    const value = { position: end.position, link: end.link };
    const was = versionOf(this.#database.records.get(auditFloorKey.text));
    const entry: AuditEntry = { ...by, action: "audit.pruned", subject: auditFloorKey.text, detail: value };
    const done = await this.#commit(entry, [{ key: auditFloorKey, was, value }], []);
    await index.prune(end.position);
    return done;
  }

  /** Takes what the database knows of a key, unless that is older than what is known here. */
  #refresh(text: string): void {
    const now = this.#database.records.get(text);
    if (now !== undefined && now.version > (this.#cache.get(text)?.version ?? 0)) this.#cache.set(text, now);
  }

  async #catchUp(): Promise<void> {
    if (this.#isCatchingUp) return;
    this.#isCatchingUp = true;
    const { told, random, slow } = this.#database;
    while (this.#heard < told.length && !this.#isCut && !this.#isClosed) {
      if (slow > 0) await this.#database.wait();
      if (this.#isCut || this.#isClosed) break;
      const some = told.slice(this.#heard, slow === 0 ? undefined : this.#heard + 1 + random.below(8));
      this.#heard += some.length;
      for (const { changed } of some) for (const { key } of changed) this.#refresh(key.text);
      this.#followers.tell(some);
    }
    this.#isCatchingUp = false;
  }

  #floor(): Head {
    return recordOf<Head & JsonObject>(this.#database.records.get(auditFloorKey.text))?.value ?? genesis;
  }

  #health() {
    if (this.#isClosed) return { writable: false, reason: "the store is closed" };
    if (this.#isCut) return { writable: false, reason: "the database does not answer" };
    return { writable: true };
  }

  #requireOpen(): void {
    if (this.#isClosed) throw fault("store.closed", "the store is closed");
  }

  async #reach(): Promise<void> {
    this.#requireOpen();
    await this.#database.wait();
    this.#requireOpen();
    if (this.#isCut) throw fault("store.unavailable", "the database does not answer");
  }

  async #reachNumbered(): Promise<void> {
    await this.#reach();
    await this.#database.numbered();
  }
}

function versionOf(known: Known | undefined): Version {
  return known === undefined || known.value === null ? 0 : known.version;
}

/** A record was held to its kind when it was committed, so it has the type of its key. */
function recordOf<T extends JsonObject>(known: Known | undefined): StoredRecord<T> | undefined {
  if (known === undefined || known.value === null) return undefined;
  return known as StoredRecord<T>;
}

/** As it comes back from somewhere else: a Date or an undefined field does not survive. */
function copyOf(value: JsonObject | null): JsonObject | null {
  const copy = JSON.parse(JSON.stringify(value)) as JsonObject | null;
  deepFreeze(copy);
  return copy;
}

function unknownOutcome(): Error {
  return fault("store.outcome_unknown", "the commit was sent, and nothing was heard: it may have happened");
}
