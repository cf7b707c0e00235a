import { copyFile, mkdtemp, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { inventedKinds } from "../../../tests/support/invented-kinds.ts";
import { until } from "../../../tests/support/until.ts";
import { type FileStore, type FileStoreOptions, openFileStore } from "./file-store.ts";
import { entryOf } from "./store-cases.ts";

const root = await mkdtemp(join(tmpdir(), "gatehouse-running-log-"));
afterAll(() => rm(root, { recursive: true, force: true }));

let serial = 0;
async function start(records: number, more: Partial<FileStoreOptions> = {}) {
  serial += 1;
  const directory = join(root, `data-${serial}`);
  const store: FileStore = await openFileStore({ directory, kinds: inventedKinds, ...more });
  for (let n = 1; n <= records; n += 1) await store.commit(entryOf(`thing/${n}`));
  const log = join(directory, "state.json.audit-wal");
  await marked(log);
  return { store, directory, log };
}

/** The store vouches for the last group when nothing follows it for a moment. */
const marked = (log: string) =>
  until("the idle mark is written", async () => (await readFile(log, "latin1")).trimEnd().endsWith('"}'));

/** Spaces in the place of the third record: the file keeps its length, and what stands behind it. */
async function overwriteThird(log: string): Promise<void> {
  const bytes = await readFile(log);
  const from = bytes.indexOf('{"first":3') + 20;
  await writeFile(log, bytes.fill(" ", from, bytes.indexOf("\n", from)));
}

describe("the log of a store that runs", () => {
  test("an untouched, idle store is whole before and after its checkpoints", async () => {
    const { store, log } = await start(2);
    expect(await store.verifyAudit()).toMatchObject({ ok: true, records: 2 });
    await store.checkpoint();
    expect(await store.verifyAudit()).toMatchObject({ ok: true, records: 2 });
    expect(await store.checkAudit()).toMatchObject({ ok: true, records: 2 });
    await store.commit(entryOf("thing/3"));
    await marked(log);
    await store.checkpoint();
    await store.checkpoint();
    expect(await store.verifyAudit()).toMatchObject({ ok: true, records: 3 });
    expect((await store.searchAudit({ limit: 9 })).items.map(({ position }) => position)).toEqual([3, 2, 1]);
    await store.close();
  });

  const broken = { file: "state.json.audit-wal", position: 3 };

  test("a log whose end is cut off between two records is named by verification, check and search", async () => {
    const { store, log } = await start(4);
    const bytes = await readFile(log);
    await truncate(log, bytes.lastIndexOf('\n{"synced":2') + '\n{"synced":2,"link":""}\n'.length + 64);
    expect(await store.verifyAudit()).toMatchObject({ ok: false, broken: { ...broken, found: "an end at 2" } });
    expect(await store.checkAudit()).toMatchObject({ ok: false, broken });
    const refused = await store.searchAudit({ limit: 9 }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "store.log_damaged", fields: { ...broken, found: "the end of the file" } });
    // The next record is written where it belongs, behind a hole: the refusal stays one.
    await store.commit(entryOf("thing/5"));
    const again = await store.searchAudit({ limit: 9 }).catch((error: unknown) => error);
    expect(again).toMatchObject({ code: "store.log_damaged", fields: broken });
    await store.abandon();
  });

  test("a log that is cut inside its last record refuses every search, before and after the next record", async () => {
    // With its mark, and then inside its changes or inside its entry.
    for (const more of [3, 60]) {
      const { store, log } = await start(3);
      await truncate(log, (await readFile(log)).lastIndexOf('\n{"synced":3') - more);
      const refused = await store.searchAudit({ limit: 9 }).catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: "store.log_damaged", fields: broken });
      // Its line now goes on over the hole into the next record, as if that were its changes.
      await store.commit(entryOf("thing/4"));
      const again = await store.searchAudit({ limit: 9 }).catch((error: unknown) => error);
      expect(again).toMatchObject({ code: "store.log_damaged", fields: broken });
      await store.abandon();
    }
  });

  test("bytes that were overwritten refuse the search with where, expected and found", async () => {
    const { store, log } = await start(3);
    await overwriteThird(log);
    const refused = await store.searchAudit({ limit: 9 }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "store.log_damaged", fields: { ...broken, found: "other bytes" } });
    await store.abandon();
  });

  test("a file that was put in the log's place is named when the next record is not in it", async () => {
    const { store, log } = await start(2);
    await copyFile(log, `${log}.copy`);
    await rename(`${log}.copy`, log);
    await store.commit(entryOf("thing/3"));
    expect(await store.verifyAudit()).toMatchObject({ ok: false, broken });
    await rm(log);
    expect(await store.verifyAudit()).toMatchObject({ ok: false, broken: { found: "none" } });
    await store.abandon();
  });

  test("a damaged log ends nothing at a checkpoint: somebody is told, and the state keeps what was acknowledged", async () => {
    const warned: string[] = [];
    const { store, log, directory } = await start(3, { onWarning: (text) => warned.push(text) });
    await overwriteThird(log);
    await store.close();
    expect(warned).toEqual(["state.json.audit-wal is damaged: the log keeps growing; see gatehouse state recover"]);
    expect(await readFile(join(directory, "state.json"), "utf8")).toContain('"seq":3');
    const started = await openFileStore({ directory, kinds: inventedKinds }).catch((error: unknown) => error);
    expect(started).toMatchObject({ code: "store.log_damaged", fields: { position: 3 } });
  });

  test("only what came after an earlier walk is read again, in the log and in the archive", async () => {
    const { store } = await start(2);
    const { head } = await store.verifyAudit();
    await store.commit(entryOf("thing/3"));
    expect(await store.verifyAudit(head)).toMatchObject({ ok: true, floor: head, head: { position: 3 }, records: 1 });
    await store.checkpoint();
    await store.commit(entryOf("thing/4"));
    const report = await store.verifyAudit(head);
    expect(report).toMatchObject({ ok: true, floor: head, head: { position: 4 }, records: 2 });
    expect(await store.verifyAudit(report.head)).toMatchObject({ ok: true, records: 0 });
    await store.pruneAudit({ actor: "system", at: 1 }, 3);
    expect(await store.verifyAudit(head)).toMatchObject({ ok: true, floor: { position: 3 }, records: 2 });
    const other = { position: 4, link: "ab".repeat(32) };
    expect(await store.verifyAudit(other)).toMatchObject({ ok: false, broken: { position: 4 } });
    await store.close();
  });
});
