import type { AuditEntry } from "@gatehouse/contract";
import { isFault } from "@gatehouse/contract/faults";
import { expect, test } from "vitest";
import { inventedKey, inventedKind } from "../../../tests/support/invented-kinds.ts";
import { inventedEntry } from "../../../tests/support/invented-entry.ts";
import { until } from "../../../tests/support/until.ts";
import { create, put, remove } from "./change.ts";
import { listRecords } from "./list-records.ts";
import { type Change, limits, type LoggedEntry, type Store, type StoredRecord, type Told } from "./port.ts";

/** Two doors to one store: two replicas, or twice the same where there is one process. */
export interface StoreUnderTest {
  readonly here: Store;
  readonly there: Store;
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
        await work(under.here, under);
      } finally {
        await under.done();
      }
    });
  };
  const [a, b] = [inventedKey("thing/a"), inventedKey("thing/b")];
  const make = (text: string, value: Record<string, string | number> = {}) => create(inventedKey(text), value);
  /** Commits and gives the record as it was acknowledged. */
  const kept = async (store: Store, change: Change): Promise<StoredRecord> => {
    const { version } = await store.commit(entryOf(change.key.text), [change]);
    return { key: change.key, version, value: change.value ?? {} };
  };

  withStore(
    "a committed record is read back where it was acknowledged, with the version that the store gave",
    async (store) => {
      expect(await store.get(a)).toBeUndefined();
      const first = await kept(store, make("thing/a", { name: "one" }));
      expect(await store.get(a)).toMatchObject({
        key: { text: "thing/a" },
        version: first.version,
        value: { name: "one" },
      });
      const second = await kept(store, put(first, { name: "two" }));
      expect(second.version).toBeGreaterThan(first.version);
      expect(await store.get(a)).toMatchObject({ version: second.version, value: { name: "two" } });
    },
  );

  withStore(
    "a record that is removed is absent, and what was seen of its first life is refused in its second",
    async (store) => {
      const first = await kept(store, make("thing/a"));
      await store.commit(entryOf("thing/a"), [remove(first)]);
      expect(await store.get(a)).toBeUndefined();
      expect(await refusal(store.commit(entryOf("thing/a"), [put(first, {})]))).toBe("store.conflict");
      const second = await kept(store, make("thing/a", { again: 1 }));
      expect(second.version).toBeGreaterThan(first.version);
      expect(await refusal(store.commit(entryOf("thing/a"), [put(first, {})]))).toBe("store.conflict");
      expect(await refusal(store.commit(entryOf("x/y"), [], [first]))).toBe("store.conflict");
      expect((await store.get(a))?.value).toEqual({ again: 1 });
    },
  );

  withStore("an entry without changes is a commit too", async (store) => {
    await store.commit(entryOf("plugin/x", { action: "plugin.refused", outcome: "refused" }));
    expect((await store.searchAudit({ limit: 10 })).items).toMatchObject([{ position: 1, outcome: "refused" }]);
  });

  withStore("a stale version is refused and nothing of the commit happens", async (store) => {
    const seen = await kept(store, make("thing/a", { n: 1 }));
    const newer = await kept(store, put(seen, { n: 2 }));
    const before = await store.head();
    const stale = store.commit(entryOf("thing/a"), [make("thing/b"), put(seen, { n: 3 })]);
    expect(await refusal(stale)).toBe("store.conflict");
    expect(await store.get(b, { newest: true })).toBeUndefined();
    expect((await store.get(a, { newest: true }))?.version).toBe(newer.version);
    expect(await store.head()).toEqual(before);
  });

  withStore("the link of every head that the store had is found again, and none where no head was", async (store) => {
    const heads = [await store.head()];
    for (let n = 1; n <= 3; n += 1) {
      await store.commit(entryOf(`thing/${n}`));
      heads.push(await store.head());
    }
    for (const { position, link } of heads.slice(1)) expect(await store.linkAt(position)).toBe(link);
    expect(await store.linkAt((heads.at(-1)?.position ?? 0) + 1)).toBeUndefined();
  });

  withStore("a record that was only read is held to its version as well", async (store) => {
    const seen = await kept(store, make("thing/a", { n: 1 }));
    const onRead = (version: number) => store.commit(entryOf("thing/b"), [make("thing/b")], [{ key: a, version }]);
    expect(await refusal(onRead(seen.version + 1))).toBe("store.conflict");
    expect(await refusal(onRead(0))).toBe("store.conflict");
    const absent = inventedKey("thing/z");
    expect(await refusal(store.commit(entryOf("x/y"), [], [{ key: absent, version: 1 }]))).toBe("store.conflict");
    await onRead(seen.version);
    await store.commit(entryOf("x/y"), [], [{ key: absent, version: 0 }]);
  });

  withStore(
    "two commits that each expect the other's record to be absent do not both win",
    async (_, { here, there }) => {
      for (let round = 0; round < 20; round += 1) {
        const [one, other] = [inventedKey(`one/${round}`), inventedKey(`other/${round}`)];
        const outcomes = await Promise.allSettled([
          here.commit(entryOf(one.text), [create(one, {})], [{ key: other, version: 0 }]),
          there.commit(entryOf(other.text), [create(other, {})], [{ key: one, version: 0 }]),
        ]);
        expect(outcomes.filter(({ status }) => status === "fulfilled").length).toBe(1);
      }
    },
  );

  withStore(
    "of many commits from one version exactly one wins, and what is read is the winner's",
    async (_, { here, there }) => {
      const tries = Array.from({ length: 50 }, (__, n) =>
        (n % 2 === 0 ? here : there).commit(entryOf("thing/a"), [make("thing/a", { n })]),
      );
      const outcomes = await Promise.allSettled(tries);
      const winners = outcomes.flatMap((outcome, n) =>
        outcome.status === "fulfilled" ? [{ n, ...outcome.value }] : [],
      );
      expect(winners).toHaveLength(1);
      const [winner] = winners;
      for (const door of [here, there]) {
        expect(await door.get(a, { newest: true })).toMatchObject({
          version: winner?.version,
          value: { n: winner?.n },
        });
      }
    },
  );

  withStore(
    "what is kept here is read there at once by whoever asks for the newest, and soon by everybody",
    async (_, { here, there }) => {
      const { version } = await kept(here, make("thing/a", { n: 1 }));
      expect(await there.get(a, { newest: true })).toMatchObject({ version });
      await here.commit(entryOf("thing/b"), [make("thing/b")]);
      expect(await there.list(inventedKind("thing"), { newest: true })).toHaveLength(2);
      await until("a record that was kept elsewhere is read", async () => (await there.get(b)) !== undefined);
    },
  );

  withStore("what a reader saw of a key never goes back", async (_, { here, there }) => {
    let seen = await kept(here, make("thing/a", { n: 0 }));
    let last = 0;
    for (let n = 1; n <= 30; n += 1) {
      seen = await kept(n % 2 === 0 ? here : there, put(seen, { n }));
      const { version = 0 } = (await there.get(a)) ?? {};
      expect(version).toBeGreaterThanOrEqual(last);
      last = version;
    }
    expect((await there.get(a, { newest: true }))?.version).toBe(seen.version);
  });

  withStore("whoever lost a race reads at least what it lost against", async (_, { here, there }) => {
    let seen = await kept(here, make("thing/a", { n: 0 }));
    for (let n = 1; n <= 10; n += 1) {
      const stale = seen;
      seen = await kept(here, put(seen, { n }));
      expect(await refusal(there.commit(entryOf("thing/a"), [put(stale, { n: -1 })]))).toBe("store.conflict");
      expect((await there.get(a))?.version).toBeGreaterThanOrEqual(seen.version);
    }
  });

  withStore(
    "what was read cannot be changed by its reader, nor what was committed by its writer",
    async (store, under) => {
      const value = { list: [{ role: "viewer" }] };
      await store.commit(entryOf("thing/a"), [create(a, value)]);
      const [written] = value.list;
      if (written !== undefined) expect(() => (written.role = "owner")).toThrow(TypeError);
      for (const found of [await store.get(a), (await store.list(inventedKind("thing")))[0]]) {
        const list = found?.value["list"] as { role: string }[];
        expect(() => list.push({ role: "owner" })).toThrow(TypeError);
        expect(() => Object.assign(list[0] ?? {}, { role: "owner" })).toThrow(TypeError);
      }
      if (under.reopen === undefined) return;
      const found = await (await under.reopen()).get(a);
      const list = found?.value["list"] as { role: string }[];
      expect(list).toEqual([{ role: "viewer" }]);
      expect(() => list.push({ role: "owner" })).toThrow(TypeError);
    },
  );

  withStore("malformed commits are refused", async (store) => {
    const refused = async (change: object, entry: object = {}) =>
      refusal(store.commit(entryOf("x/y", entry), [change as never]));
    expect(await refused({ key: inventedKind("Upper").key("x"), was: 0, value: {} })).toBe("store.malformed");
    expect(await refused({ key: inventedKind("a").key(""), was: 0, value: {} })).toBe("store.malformed");
    expect(await refused({ key: inventedKey("a/../b"), was: 0, value: {} })).toBe("store.malformed");
    expect(await refused({ key: inventedKey("a/b"), was: 0, value: [] })).toBe("store.malformed");
    expect(await refused({ key: inventedKey("a/b"), was: 0, value: "text" })).toBe("store.malformed");
    expect(await refused(remove({ key: inventedKey("a/b"), version: 0 }))).toBe("store.malformed");
    expect(await refused(make("a/b"), { action: "" })).toBe("store.malformed");
    expect(await refused(make("a/b"), { at: 1.5 })).toBe("store.malformed");
    expect(await refusal(store.commit(entryOf("x/y"), [make("a/b"), make("a/b")]))).toBe("store.malformed");
    expect(await store.head()).toMatchObject({ position: 0 });
  });

  withStore("an entry over 16 KiB or a commit over 1 MiB is refused", async (store) => {
    const text = "ä".repeat(9 * 1024);
    expect(await refusal(store.commit(entryOf("x/y", { detail: { text } })))).toBe("store.entry_too_large");
    const large = make("thing/a", { text: "x".repeat(1024 * 1024) });
    expect(await refusal(store.commit(entryOf("thing/a"), [large]))).toBe("store.commit_too_large");
    const fits = make("thing/a", { text: "x".repeat(1000 * 1024) });
    await store.commit(entryOf("thing/a"), [fits]);
  });

  withStore("records of a kind are listed in the order of their keys, page by page", async (store) => {
    for (const id of ["c", "a", "e", "b", "d"]) await store.commit(entryOf("thing"), [make(`thing/${id}`, { id })]);
    await store.commit(entryOf("thingy"), [make("thingy/x")]);
    const found = await store.get(b);
    if (found !== undefined) await store.commit(entryOf("thing/b"), [remove(found)]);
    const first = await store.list(inventedKind("thing"), { limit: 2 });
    expect(first.map(({ key }) => key.text)).toEqual(["thing/a", "thing/c"]);
    const rest = await store.list(inventedKind("thing"), { after: inventedKey("thing/c") });
    expect(rest.map(({ key }) => key.text)).toEqual(["thing/d", "thing/e"]);
    expect(await store.list(inventedKind("nothing"))).toEqual([]);
  });

  withStore("all records of a kind are listed, also those behind the page that one call gives", async (store) => {
    const names = Array.from({ length: limits.pageItems + 1 }, (_, n) => `thing/${String(n).padStart(5, "0")}`);
    await store.commit(
      entryOf("thing"),
      names.map((name) => make(name)),
    );
    await store.commit(entryOf("thingy"), [make("thingy/x")]);
    expect(await store.list(inventedKind("thing"), { limit: names.length })).toHaveLength(limits.pageItems);
    expect((await listRecords(store, inventedKind("thing"))).map(({ key }) => key.text)).toEqual(names);
    expect(await listRecords(store, inventedKind("nothing"))).toEqual([]);
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

  withStore("search, head and verification know everything that was acknowledged here", async (store) => {
    await Promise.all(Array.from({ length: 40 }, (_, n) => kept(store, make(`thing/${n}`, { n }))));
    expect((await store.searchAudit({ limit: 100 })).items).toHaveLength(40);
    expect(await store.verifyAudit()).toMatchObject({
      ok: true,
      records: 40,
      floor: { position: 0 },
      head: await store.head(),
    });
  });

  withStore(
    "followers everywhere hear every commit once, in one order, with the keys that changed",
    async (_, { here, there }) => {
      const heard: { readonly [door: string]: Told[] } = { here: [], there: [] };
      const behind: string[] = [];
      const checks: Promise<void>[] = [];
      const followed = Object.entries({ here, there }).map(([name, door]) =>
        door.follow((told) => {
          heard[name]?.push(...told);
          for (const { key, version } of told.flatMap(({ changed }) => changed)) {
            const check = async () => {
              if (((await door.get(key))?.version ?? Number.POSITIVE_INFINITY) < version) behind.push(key.text);
            };
            checks.push(check());
          }
        }),
      );
      here.follow(() => {
        throw new Error("a follower's own trouble");
      })();
      const first = await Promise.all(
        Array.from({ length: 20 }, (__, n) => kept(n % 2 === 0 ? here : there, make(`thing/${n}`))),
      );
      const [removed] = first;
      if (removed !== undefined) await here.commit(entryOf("thing/0"), [remove(removed)]);
      await until("followers heard everything", () => Object.values(heard).every((told) => told.length >= 21));
      await Promise.all(checks);
      for (const stop of followed) stop();
      await here.commit(entryOf("x/y"));
      await here.head();
      const order = heard["here"]?.map(({ position, entry }) => `${position} ${entry.subject}`);
      expect(heard["there"]?.map(({ position, entry }) => `${position} ${entry.subject}`)).toEqual(order);
      expect(heard["here"]?.map(({ position }) => position)).toEqual(Array.from({ length: 21 }, (__, n) => n + 1));
      expect(heard["there"]?.at(-1)?.changed).toMatchObject([{ key: { text: "thing/0" }, removed: true }]);
      for (const { key, version } of first) {
        const told = heard["there"]?.find(({ changed }) => changed.some((one) => one.key.text === key.text));
        expect(told?.changed).toMatchObject([{ version, removed: false }]);
      }
      expect(behind).toEqual([]);
    },
  );

  withStore("a closed store refuses reads and changes alike", async (store) => {
    await store.commit(entryOf("thing/a"), [make("thing/a")]);
    await store.close();
    expect(await refusal(store.commit(entryOf("x/y")))).toBe("store.closed");
    expect(await refusal(store.get(a))).toBe("store.closed");
    expect(await refusal(store.list(inventedKind("thing")))).toBe("store.closed");
    expect(await refusal(store.searchAudit({ limit: 1 }))).toBe("store.closed");
    expect(store.health().writable).toBe(false);
  });

  withStore("what was acknowledged is there after reopening, and the chain goes on", async (store, under) => {
    if (under.reopen === undefined) return;
    const made = await Promise.all(Array.from({ length: 25 }, (_, n) => kept(store, make(`thing/${n}`, { n }))));
    const head = await store.head();
    const again = await under.reopen();
    expect(await again.head()).toEqual(head);
    const seventh = await again.get(inventedKey("thing/7"));
    expect(seventh).toMatchObject({ version: made[7]?.version, value: { n: 7 } });
    if (seventh !== undefined) await again.commit(entryOf("thing/7"), [put(seventh, { n: 8 })]);
    expect(await again.verifyAudit()).toMatchObject({ ok: true, records: 26 });
    expect((await again.searchAudit({ limit: 1 })).items).toMatchObject([{ position: 26, subject: "thing/7" }]);
  });
}
