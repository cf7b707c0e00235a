import type { AuditEntry } from "@gatehouse/contract";
import { isFault } from "@gatehouse/contract/faults";
import { expect, test } from "vitest";
import { inventedKey, inventedKind } from "../../../tests/support/invented-kinds.ts";
import { inventedEntry } from "../../../tests/support/invented-entry.ts";
import type { LoggedEntry, Store } from "./port.ts";

export interface StoreUnderTest {
  readonly store: Store;
  /** Closes the store and opens what it left. Absent for a store that keeps nothing. */
  readonly reopen?: () => Promise<Store>;
  readonly done: () => Promise<void>;
}

let minute = 0;
export function entryOf(subject: string, more: Partial<LoggedEntry> = {}): AuditEntry {
  minute += 1;
  const at = Date.UTC(2026, 0, 1) + minute * 60_000;
  return inventedEntry({ at, actor: "usr_1", action: "thing.changed", subject, ...more });
}

export async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (isFault(error)) return error.code;
    throw error;
  }
  return "nothing was refused";
}

/** What every adapter of the store promises. One suite, run by each of them. */
export function storeCases(open: () => Promise<StoreUnderTest>): void {
  const withStore = (name: string, work: (store: Store, under: StoreUnderTest) => Promise<void>): void => {
    test(name, async () => {
      const under = await open();
      try {
        await work(under.store, under);
      } finally {
        await under.done();
      }
    });
  };
  const put = (key: string, newVersion: number, value: Record<string, string | number>) => ({
    key: inventedKey(key),
    newVersion,
    value,
  });
  const remove = (key: string, newVersion: number) => ({ key: inventedKey(key), newVersion, value: null });

  withStore("a committed record is read back with its version", async (store) => {
    expect(await store.get(inventedKey("thing/a"))).toBeUndefined();
    expect(await store.commit(entryOf("thing/a"), [put("thing/a", 1, { name: "one" })])).toEqual({ position: 1 });
    expect(await store.commit(entryOf("thing/a"), [put("thing/a", 2, { name: "two" })])).toEqual({ position: 2 });
    expect(await store.get(inventedKey("thing/a"))).toMatchObject({
      key: { text: "thing/a" },
      version: 2,
      value: { name: "two" },
    });
  });

  withStore("a removed record is absent and begins anew at version 1", async (store) => {
    await store.commit(entryOf("thing/a"), [put("thing/a", 1, {})]);
    await store.commit(entryOf("thing/a"), [remove("thing/a", 2)]);
    expect(await store.get(inventedKey("thing/a"))).toBeUndefined();
    await store.commit(entryOf("thing/a"), [put("thing/a", 1, { again: 1 })]);
    expect((await store.get(inventedKey("thing/a")))?.version).toBe(1);
  });

  withStore("an entry without changes is a commit too", async (store) => {
    await store.commit(entryOf("plugin/x", { action: "plugin.refused", outcome: "refused" }));
    expect((await store.searchAudit({ limit: 10 })).items).toMatchObject([{ position: 1, outcome: "refused" }]);
  });

  withStore("a stale version is refused and nothing of the commit happens", async (store) => {
    await store.commit(entryOf("thing/a"), [put("thing/a", 1, { n: 1 })]);
    const before = await store.head();
    const stale = store.commit(entryOf("thing/a"), [put("thing/b", 1, {}), put("thing/a", 1, { n: 2 })]);
    expect(await refusal(stale)).toBe("store.conflict");
    expect(await store.get(inventedKey("thing/b"))).toBeUndefined();
    expect(await store.head()).toEqual(before);
  });

  withStore("a record that was only read is held to its version as well", async (store) => {
    await store.commit(entryOf("thing/a"), [put("thing/a", 1, { n: 1 })]);
    const onRead = (version: number) =>
      store.commit(entryOf("thing/b"), [put("thing/b", 1, {})], [{ key: inventedKey("thing/a"), version }]);
    expect(await refusal(onRead(2))).toBe("store.conflict");
    expect(await refusal(store.commit(entryOf("x/y"), [], [{ key: inventedKey("thing/z"), version: 1 }]))).toBe(
      "store.conflict",
    );
    await onRead(1);
    await store.commit(entryOf("x/y"), [], [{ key: inventedKey("thing/z"), version: 0 }]);
  });

  withStore("of many commits from one version exactly one wins", async (store) => {
    const tries = Array.from({ length: 50 }, (_, n) => store.commit(entryOf("thing/a"), [put("thing/a", 1, { n })]));
    const outcomes = await Promise.allSettled(tries);
    expect(outcomes.filter((outcome) => outcome.status === "fulfilled")).toHaveLength(1);
    expect(await store.get(inventedKey("thing/a"))).toMatchObject({ version: 1, value: { n: 0 } });
  });

  withStore("a commit is judged against what is sequenced, though not yet durable", async (store) => {
    const chain = [1, 2, 3].map((version) => store.commit(entryOf("thing/a"), [put("thing/a", version, { version })]));
    chain.push(store.commit(entryOf("thing/a"), [remove("thing/a", 4)]));
    chain.push(store.commit(entryOf("thing/a"), [put("thing/a", 1, { version: 1 })]));
    expect((await Promise.all(chain)).map(({ position }) => position)).toEqual([1, 2, 3, 4, 5]);
    expect((await store.get(inventedKey("thing/a")))?.version).toBe(1);
  });

  withStore("readers see a commit when it is acknowledged, and not before", async (store) => {
    const pending = store.commit(entryOf("thing/a"), [put("thing/a", 1, {})]);
    expect(await store.get(inventedKey("thing/a"))).toBeUndefined();
    await pending;
    expect(await store.get(inventedKey("thing/a"))).toBeDefined();
  });

  withStore("malformed commits are refused", async (store) => {
    const refused = async (change: object, entry: object = {}) =>
      refusal(store.commit(entryOf("x/y", entry), [change as never]));
    expect(await refused({ key: inventedKind("Upper").key("x"), newVersion: 1, value: {} })).toBe("store.malformed");
    expect(await refused({ key: inventedKind("a").key(""), newVersion: 1, value: {} })).toBe("store.malformed");
    expect(await refused({ key: inventedKey("a/../b"), newVersion: 1, value: {} })).toBe("store.malformed");
    expect(await refused({ key: inventedKey("a/b"), newVersion: 1, value: [] })).toBe("store.malformed");
    expect(await refused({ key: inventedKey("a/b"), newVersion: 1, value: "text" })).toBe("store.malformed");
    expect(await refused(remove("a/b", 1))).toBe("store.malformed");
    expect(await refused(put("a/b", 1, {}), { action: "" })).toBe("store.malformed");
    expect(await refused(put("a/b", 1, {}), { at: 1.5 })).toBe("store.malformed");
    expect(await refusal(store.commit(entryOf("x/y"), [put("a/b", 1, {}), put("a/b", 1, {})]))).toBe("store.malformed");
    expect(await store.head()).toMatchObject({ position: 0 });
  });

  withStore("an entry over 16 KiB or a commit over 1 MiB is refused", async (store) => {
    const text = "ä".repeat(9 * 1024);
    expect(await refusal(store.commit(entryOf("x/y", { detail: { text } })))).toBe("store.entry_too_large");
    const large = put("thing/a", 1, { text: "x".repeat(1024 * 1024) });
    expect(await refusal(store.commit(entryOf("thing/a"), [large]))).toBe("store.commit_too_large");
    const fits = put("thing/a", 1, { text: "x".repeat(1000 * 1024) });
    await store.commit(entryOf("thing/a"), [fits]);
  });

  withStore("records of a kind are listed in the order of their keys, page by page", async (store) => {
    for (const id of ["c", "a", "e", "b", "d"]) await store.commit(entryOf("thing"), [put(`thing/${id}`, 1, { id })]);
    await store.commit(entryOf("thingy"), [put("thingy/x", 1, {})]);
    await store.commit(entryOf("thing/b"), [remove("thing/b", 2)]);
    const first = await store.list(inventedKind("thing"), { limit: 2 });
    expect(first.map(({ key }) => key.text)).toEqual(["thing/a", "thing/c"]);
    const rest = await store.list(inventedKind("thing"), { after: inventedKey("thing/c") });
    expect(rest.map(({ key }) => key.text)).toEqual(["thing/d", "thing/e"]);
    expect(await store.list(inventedKind("nothing"))).toEqual([]);
  });

  withStore("the log is searched by actor, action, subject, time and text, and paged without gaps", async (store) => {
    const base = Date.UTC(2030, 0, 1);
    for (let n = 0; n < 30; n += 1) {
      const actor = n % 2 === 0 ? "usr_ada" : "usr_bob";
      const action = n % 3 === 0 ? "plugin.installed" : "node.enrolled";
      const detail = { note: `Grün word${n}` };
      await store.commit(inventedEntry({ at: base + n, actor, action, subject: `thing/${n % 5}`, detail }));
    }
    const positions = async (query: object) =>
      (await store.searchAudit({ limit: 100, ...query })).items.map(({ position }) => position);
    expect(await positions({ actor: "usr_ada", action: "plugin." })).toEqual([25, 19, 13, 7, 1]);
    expect(await positions({ subject: "thing/4", order: "oldest" })).toEqual([5, 10, 15, 20, 25, 30]);
    expect(await positions({ from: base + 10, to: base + 12 })).toEqual([12, 11]);
    expect(await positions({ text: "GRÜN word29" })).toEqual([30]);
    expect(await positions({ text: "absent" })).toEqual([]);
    const paged: number[] = [];
    for (let after: number | undefined; ; ) {
      const page = await store.searchAudit({ limit: 7, ...(after === undefined ? {} : { after }) });
      paged.push(...page.items.map(({ position }) => position));
      if (page.next === undefined) break;
      after = page.next;
    }
    expect(paged).toEqual(Array.from({ length: 30 }, (_, n) => 30 - n));
  });

  withStore("the chain verifies, and says where it ends", async (store) => {
    await Promise.all(
      Array.from({ length: 40 }, (_, n) => store.commit(entryOf(`thing/${n}`), [put(`thing/${n}`, 1, { n })])),
    );
    expect(await store.verifyAudit()).toMatchObject({
      ok: true,
      records: 40,
      floor: { position: 0 },
      head: await store.head(),
    });
  });

  withStore("followers hear every commit once, in order, after it is visible", async (store) => {
    const heard: number[] = [];
    const stop = store.follow((committed) => heard.push(...committed.map(({ position }) => position)));
    store.follow(() => {
      throw new Error("a follower's own trouble");
    })();
    await Promise.all(Array.from({ length: 20 }, () => store.commit(entryOf("x/y"))));
    stop();
    await store.commit(entryOf("x/y"));
    expect(heard).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  });

  withStore("a closed store refuses changes", async (store) => {
    await store.close();
    expect(await refusal(store.commit(entryOf("x/y")))).toBe("store.closed");
    expect(store.health().writable).toBe(false);
  });

  withStore("what was acknowledged is there after reopening, and the chain goes on", async (store, under) => {
    if (under.reopen === undefined) return;
    await Promise.all(
      Array.from({ length: 25 }, (_, n) => store.commit(entryOf("x/y"), [put(`thing/${n}`, 1, { n })])),
    );
    const head = await store.head();
    const again = await under.reopen();
    expect(await again.head()).toEqual(head);
    expect(await again.get(inventedKey("thing/7"))).toMatchObject({ version: 1, value: { n: 7 } });
    expect(await again.commit(entryOf("thing/7"), [put("thing/7", 2, { n: 8 })])).toEqual({ position: 26 });
    expect(await again.verifyAudit()).toMatchObject({ ok: true, records: 26 });
    expect((await again.searchAudit({ limit: 1 })).items).toMatchObject([{ position: 26, subject: "thing/7" }]);
  });
}
