import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { inventedKinds } from "../../../tests/support/invented-kinds.ts";
import { until } from "../../../tests/support/until.ts";
import { type FileStore, openFileStore } from "./file-store.ts";
import { entryOf } from "./store-cases.ts";

const root = await mkdtemp(join(tmpdir(), "gatehouse-running-log-"));
afterAll(() => rm(root, { recursive: true, force: true }));

let serial = 0;
async function start(records: number): Promise<{ store: FileStore; log: string }> {
  serial += 1;
  const directory = join(root, `data-${serial}`);
  const store = await openFileStore({ directory, kinds: inventedKinds });
  for (let n = 1; n <= records; n += 1) await store.commit(entryOf(`thing/${n}`));
  return { store, log: join(directory, "state.json.audit-wal") };
}

/** The store vouches for the last group when nothing follows it for a moment. */
const marked = (log: string) =>
  until("the idle mark is written", async () => (await readFile(log, "latin1")).trimEnd().endsWith('"}'));

describe("the log of a store that runs", () => {
  test("an untouched, idle store is whole before and after its checkpoints", async () => {
    const { store, log } = await start(2);
    await marked(log);
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
});
