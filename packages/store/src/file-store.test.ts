import { appendFile, copyFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fault } from "@gatehouse/contract/faults";
import { defineKind, ownersKind } from "@gatehouse/contract/records";
import { afterAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { inventedKey, inventedKind, inventedKinds } from "../../../tests/support/invented-kinds.ts";
import type { AuditIndex } from "./audit-index/audit-index.ts";
import { openSqliteIndex } from "./audit-index/sqlite-index.ts";
import { create } from "./change.ts";
import { type FileStore, type FileStoreOptions, openFileStore } from "./file-store.ts";
import { kindsOf } from "./kinds.ts";
import type { Change } from "./port.ts";
import { diagnoseDataDirectory, recoverDataDirectory } from "./recover.ts";
import { entryOf, refusal, storeCases } from "./store-cases.ts";
import { verifyDataDirectory } from "./verify-directory.ts";

const root = await mkdtemp(join(tmpdir(), "gatehouse-store-"));
afterAll(() => rm(root, { recursive: true, force: true }));
let serial = 0;
const newDirectory = (): string => {
  serial += 1;
  return join(root, `data-${serial}`);
};
const open = (directory: string, more: Partial<FileStoreOptions> = {}): Promise<FileStore> =>
  openFileStore({ directory, kinds: inventedKinds, ...more });
const put = (key: string, was: number, value: Record<string, string | number> = {}) => ({
  key: inventedKey(key),
  was,
  value,
});
const log = (directory: string) => join(directory, "state.json.audit-wal");

/** A directory with `count` commits whose process ended without closing anything. */
async function crashed(count: number, work?: (store: FileStore) => Promise<void>): Promise<string> {
  const directory = newDirectory();
  const store = await open(directory, { lock: () => ({ release: () => undefined }) });
  for (let n = 1; n <= count; n += 1) await store.commit(entryOf(`thing/${n}`), [put(`thing/${n}`, 0, { n })]);
  await work?.(store);
  const copy = newDirectory();
  await open(copy, {}).then((empty) => empty.close());
  for (const name of await readdir(copy)) await rm(join(copy, name), { recursive: true });
  for (const name of await readdir(directory)) await copyFile(join(directory, name), join(copy, name));
  await store.close();
  return copy;
}

/** The methods of an index as plain functions, so that one can be replaced. */
function bound(index: AuditIndex): AuditIndex {
  return {
    append: (log) => index.append(log),
    archive: (head) => index.archive(head),
    archived: () => index.archived(),
    indexed: () => index.indexed(),
    search: (query) => index.search(query),
    groups: (after, limit) => index.groups(after, limit),
    prune: (position) => index.prune(position),
    beginAt: (head) => index.beginAt(head),
    quickCheck: () => index.quickCheck(),
    checkSearch: (begin) => index.checkSearch(begin),
    rebuildSearch: () => index.rebuildSearch(),
    linkAt: (position) => index.linkAt(position),
    heads: index.heads,
    close: () => index.close(),
  };
}

describe("file store", () => {
  storeCases(async () => {
    const directory = newDirectory();
    let store = await open(directory);
    const first = store;
    return {
      here: first,
      there: first,
      reopen: async () => {
        await store.close();
        store = await open(directory);
        return store;
      },
      done: () => store.close(),
    };
  });

  test("the four files are there from the first boot, for nobody else to read", async () => {
    const directory = newDirectory();
    const store = await open(directory);
    await store.commit(entryOf("x/y"));
    for (const name of ["state.json", "state.json.audit-wal", "logs.db", "master.key"]) {
      expect((await stat(join(directory, name))).mode & 0o777, name).toBe(0o600);
    }
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    await store.close();
    for (const name of await readdir(directory)) {
      expect((await stat(join(directory, name))).mode & 0o077, name).toBe(0);
    }
  });

  test("what was acknowledged is replayed after a crash", async () => {
    const directory = await crashed(30);
    const store = await open(directory);
    expect(await store.get(inventedKey("thing/30"))).toMatchObject({ value: { n: 30 } });
    expect(await store.verifyAudit()).toMatchObject({ ok: true, records: 30 });
    await store.close();
  });

  test("a checkpoint empties the log into the archive, and everything stays readable", async () => {
    const directory = newDirectory();
    let store = await open(directory);
    for (let n = 1; n <= 10; n += 1) await store.commit(entryOf("x/y"), [put(`thing/${n}`, 0)]);
    await store.checkpoint();
    expect((await readFile(log(directory), "utf8")).split("\n")[0]).toContain('"base":10');
    await store.commit(entryOf("x/y"), [put("thing/11", 0)]);
    expect(await store.verifyAudit()).toMatchObject({ ok: true, records: 11 });
    expect((await store.searchAudit({ limit: 100 })).items).toHaveLength(11);
    await store.close();
    store = await open(directory);
    expect(await store.verifyAudit()).toMatchObject({ ok: true, records: 11 });
    expect(await store.list(inventedKind("thing"))).toHaveLength(11);
    await store.close();
  });

  test("checkpoints happen by themselves while commits go on, and lose nothing", async () => {
    const directory = newDirectory();
    let store = await open(directory, { checkpointBytes: 20_000 });
    const writers = Array.from({ length: 20 }, async (_, writer) => {
      let was = 0;
      for (let n = 1; n <= 50; n += 1) {
        was = (await store.commit(entryOf(`thing/${writer}`), [put(`thing/${writer}`, was, { n })])).version;
        if (n % 20 === 0) await store.searchAudit({ limit: 5 });
      }
    });
    await Promise.all(writers);
    expect(await store.verifyAudit()).toMatchObject({ ok: true, records: 1000 });
    await store.close();
    store = await open(directory);
    for (const record of await store.list(inventedKind("thing"))) expect(record.value["n"]).toBe(50);
    expect(await store.verifyAudit()).toMatchObject({ ok: true, records: 1000 });
    await store.close();
  });

  test("an unfinished last record is cut off and reported", async () => {
    const directory = await crashed(5);
    await appendFile(log(directory), '{"first":6,"count":1,"link":"00');
    const store = await open(directory);
    expect(store.cut?.bytes).toBe(31);
    expect(await store.head()).toMatchObject({ position: 5 });
    await store.commit(entryOf("x/y"));
    await store.close();
  });

  test("a record that was durable and is broken refuses the start with position, expected and found", async () => {
    const directory = await crashed(5);
    const bytes = await readFile(log(directory));
    const at = bytes.indexOf('"first":3');
    bytes[at + 200] = (bytes[at + 200] as number) ^ 1;
    await writeFile(log(directory), bytes);
    const failure = await open(directory).catch((error: unknown) => error as { code: string; detail: string });
    expect(failure).toMatchObject({
      code: "store.log_damaged",
      detail: expect.stringMatching(/position 3, byte \d+: expected/),
    });
    expect(failure).toHaveProperty("todo", expect.stringContaining("gatehouse state recover"));
  });

  test("an edited state.json refuses the start", async () => {
    const directory = newDirectory();
    const store = await open(directory);
    await store.commit(entryOf("thing/a"), [put("thing/a", 0, { role: "viewer" })]);
    await store.close();
    const path = join(directory, "state.json");
    await writeFile(path, (await readFile(path, "utf8")).replace("viewer", "owners"));
    expect(await refusal(open(directory))).toBe("store.state_damaged");
  });

  test("what its kind does not allow is not written", async () => {
    const store = await open(newDirectory(), { kinds: kindsOf([ownersKind]) });
    const commit = (change: Change) => refusal(store.commit(entryOf("x/y"), [change]));
    expect(await commit(put("thing/a", 0))).toBe("store.malformed");
    const key = ownersKind.key("main");
    expect(await commit({ key, was: 0, value: { ids: "all" } })).toBe("store.malformed");
    expect(await commit({ key, was: 0, value: { ids: [], more: 1 } })).toBe("store.malformed");
    await store.commit(entryOf("x/y"), [create(key, { ids: ["usr_1"] })]);
    await store.close();
  });

  test("records of an earlier form are read in today's, from the state and from the log, and written so", async () => {
    const early = defineKind({ name: "thing", says: "", schema: z.strictObject({ n: z.int() }), kept: "" });
    const today = defineKind({
      name: "thing",
      says: "",
      schema: z.strictObject({ count: z.int() }),
      migrations: [({ n }) => ({ count: n ?? 0 })],
      kept: "",
    });
    const directory = newDirectory();
    const before = await open(directory, { kinds: kindsOf([early]) });
    await before.commit(entryOf("thing/a"), [create(early.key("a"), { n: 1 })]);
    await before.checkpoint();
    await before.commit(entryOf("thing/b"), [create(early.key("b"), { n: 2 })]);
    await before.abandon();
    for (let start = 0; start < 2; start += 1) {
      const after = await open(directory, { kinds: kindsOf([today]) });
      expect((await after.list(today)).map(({ value }) => value)).toEqual([{ count: 1 }, { count: 2 }]);
      await after.close();
    }
    expect(await readFile(join(directory, "state.json"), "utf8")).toContain('"form":2,"value":{"count":2}');
    expect(await refusal(open(directory, { kinds: kindsOf([early]) }))).toBe("store.format_unknown");
    expect(await refusal(open(directory, { kinds: kindsOf([]) }))).toBe("store.kind_unknown");
    const other = defineKind({
      name: "thing",
      says: "",
      schema: z.strictObject({}),
      migrations: today.migrations,
      kept: "",
    });
    expect(await refusal(open(directory, { kinds: kindsOf([other]) }))).toBe("store.record_unreadable");
    expect(await diagnoseDataDirectory({ directory, kinds: kindsOf([other]) })).toMatchObject({ recoverable: false });
    expect(await refusal(recoverDataDirectory({ directory, kinds: kindsOf([early]) }))).toBe("store.format_unknown");
    expect(await refusal(verifyDataDirectory({ directory, kinds: kindsOf([other]) }))).toBe("store.record_unreadable");
  });

  test("an archive that takes nothing more ends nothing: the log keeps what was acknowledged, and somebody is told", async () => {
    const directory = newDirectory();
    const told: string[] = [];
    const damaged = async () => {
      const index = await openSqliteIndex({ path: join(directory, "logs.db") });
      return { ...bound(index), archive: () => Promise.reject(fault("store.archive_damaged", "a page is malformed")) };
    };
    const fatal: unknown[] = [];
    const store = await open(directory, {
      openIndex: damaged,
      checkpointBytes: 2_000,
      onWarning: (message) => told.push(message),
      onFatal: (error) => fatal.push(error),
    });
    for (let n = 1; n <= 30; n += 1) await store.commit(entryOf("x/y"), [put(`thing/${n}`, 0, { n })]);
    await store.close();
    expect(fatal).toEqual([]);
    expect(told.filter((message) => message.includes("logs.db is damaged"))).not.toEqual([]);
    const again = await open(directory);
    expect(await again.list(inventedKind("thing"))).toHaveLength(30);
    expect(await again.verifyAudit()).toMatchObject({ ok: true, records: 30 });
    await again.close();
  });

  test("a foreign master key is refused by name, a missing one is never replaced", async () => {
    const directory = newDirectory();
    await (await open(directory)).close();
    const other = newDirectory();
    await (await open(other)).close();
    await copyFile(join(other, "master.key"), join(directory, "master.key"));
    expect(await refusal(open(directory))).toBe("store.key_wrong");
    await rm(join(directory, "master.key"));
    expect(await refusal(open(directory))).toBe("store.key_missing");
    await writeFile(join(directory, "master.key"), "short\n");
    expect(await refusal(open(directory))).toBe("store.key_malformed");
  });

  test("a master key file that is named but missing fails the start", async () => {
    const directory = newDirectory();
    expect(await refusal(open(directory, { masterKeyFile: join(root, "absent.key") }))).toBe("store.key_missing");
    await (await open(directory)).close();
    const key = join(root, "mounted.key");
    await copyFile(join(directory, "master.key"), key);
    await rm(join(directory, "master.key"));
    await (await open(directory, { masterKeyFile: key })).close();
    expect(await readdir(directory)).not.toContain("master.key");
  });

  test("files of different moments are refused", async () => {
    const directory = newDirectory();
    let store = await open(directory);
    await store.commit(entryOf("thing/a"), [put("thing/a", 0)]);
    await store.close();
    const old = await readFile(join(directory, "state.json"));
    store = await open(directory);
    await store.commit(entryOf("thing/a"), [put("thing/a", 1)]);
    await store.close();
    await writeFile(join(directory, "state.json"), old);
    expect(await refusal(open(directory))).toBe("store.files_of_different_moments");
  });

  test("a log that is cut while the store runs is named by verification and check", async () => {
    const directory = newDirectory();
    const store = await open(directory);
    for (let n = 1; n <= 3; n += 1) await store.commit(entryOf(`thing/${n}`), [put(`thing/${n}`, 0, { n })]);
    const bytes = await readFile(log(directory));
    // Inside the last group, with spaces in its place: the file keeps its length.
    await writeFile(log(directory), bytes.fill(" ", bytes.lastIndexOf('{"first":3') + 20));
    const broken = { file: "state.json.audit-wal", position: 3 };
    expect(await store.verifyAudit()).toMatchObject({ ok: false, broken });
    expect(await store.checkAudit()).toMatchObject({ ok: false, broken });
    await store.abandon();
  });

  test("a store that closes ends a check that is under way", async () => {
    const store = await open(newDirectory());
    for (let n = 1; n <= 5; n += 1) await store.commit(entryOf(`thing/${n}`), [put(`thing/${n}`, 0, { n })]);
    await store.checkpoint();
    const check = refusal(store.checkAudit());
    await store.close();
    expect(await check).toBe("store.closed");
  });

  test("an older state.json is called older, whatever the log writes onto it", async () => {
    const directory = newDirectory();
    const store = await open(directory);
    await store.commit(entryOf("thing/1"), [put("thing/1", 0)]);
    await store.checkpoint();
    const older = await readFile(join(directory, "state.json"));
    await store.commit(entryOf("thing/2"), [put("thing/2", 0)]);
    await store.checkpoint();
    await store.commit(entryOf("thing/2"), [put("thing/2", 2)]);
    await store.abandon();
    await writeFile(join(directory, "state.json"), older);
    await expect(open(directory)).rejects.toMatchObject({
      code: "store.files_of_different_moments",
      detail: "state.json.audit-wal begins behind position 2, but state.json stands at 1",
    });
  });

  test("a group without a seal is refused with the name of the log", async () => {
    const directory = await crashed(2);
    const text = await readFile(log(directory), "utf8");
    await writeFile(log(directory), text.replace('"format":2', '"format":1').replaceAll(/"seal":"[0-9a-f]{64}",/g, ""));
    await expect(open(directory)).rejects.toMatchObject({
      code: "store.log_damaged",
      detail: expect.stringMatching(/^state\.json\.audit-wal: position 1: expected a group sealed/),
    });
  });

  test("a lost log or a lost archive is noticed", async () => {
    const directory = newDirectory();
    const store = await open(directory);
    await store.commit(entryOf("thing/a"), [put("thing/a", 0)]);
    await store.close();
    const aside = newDirectory();
    await (await open(aside)).close();
    await copyFile(join(directory, "logs.db"), join(aside, "kept.db"));
    await rm(join(directory, "logs.db"));
    expect(await refusal(open(directory))).toBe("store.files_of_different_moments");
    await copyFile(join(aside, "kept.db"), join(directory, "logs.db"));
    await rm(log(directory));
    expect(await refusal(open(directory))).toBe("store.files_of_different_moments");
  });

  test("a log that lost its end behind the checkpoint is noticed", async () => {
    const directory = newDirectory();
    const store = await open(directory);
    await store.commit(entryOf("x/y"));
    await store.close();
    await truncate(log(directory), 10);
    expect(await refusal(open(directory))).toBe("store.log_damaged");
  });

  test("a second process on the directory is refused", async () => {
    const directory = newDirectory();
    const store = await open(directory);
    expect(await refusal(open(directory))).toBe("store.locked");
    await store.close();
    await (await open(directory)).close();
  });

  test("pruned records are gone from the archive, and verification says where it starts", async () => {
    const directory = newDirectory();
    let store = await open(directory);
    for (let n = 0; n < 10; n += 1) await store.commit(entryOf("x/y"));
    await store.checkpoint();
    await store.pruneAudit({ actor: "system", at: 1 }, 4);
    expect(await store.verifyAudit()).toMatchObject({ ok: true, floor: { position: 4 }, records: 7 });
    await store.close();
    store = await open(directory);
    expect(await store.verifyAudit()).toMatchObject({ ok: true, floor: { position: 4 }, records: 7 });
    await store.close();
  });

  test("a data directory that cannot be made is refused by name", async () => {
    const file = join(root, "a-file");
    await writeFile(file, "");
    expect(await refusal(open(join(file, "data")))).toBe("store.directory_unusable");
    expect(await refusal(open("/proc/gatehouse/data"))).toBe("store.directory_unusable");
  });
});
