import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeVfs } from "@gatehouse/files";
import { expect, onTestFinished, test } from "vitest";
import { inventedKey, inventedKinds } from "../../../tests/support/invented-kinds.ts";
import { readRecords } from "./boot.ts";
import { create } from "./change.ts";
import { openFileStore } from "./file-store.ts";
import { masterKey } from "./master-key.ts";
import { type ReadState, readState, writeState } from "./state-file.ts";
import { entryOf, refusal } from "./store-cases.ts";

test("another master key takes a new checkpoint and an empty log; the history stays as it is", async () => {
  const directory = await mkdtemp(join(tmpdir(), "gatehouse-new-key-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const open = () => openFileStore({ directory, kinds: inventedKinds });
  const log = join(directory, "state.json.audit-wal");
  const store = await open();
  for (let n = 1; n <= 5; n += 1) await store.commit(entryOf(`thing/${n}`), [create(inventedKey(`thing/${n}`), { n })]);
  const { position } = await store.head();
  await store.close();
  const archive = await readFile(join(directory, "logs.db"));
  const wal = await readFile(log);

  const bytes = randomBytes(32);
  const path = join(directory, "state.json");
  const before = masterKey(Buffer.from((await readFile(join(directory, "master.key"), "utf8")).trim(), "hex"));
  const state = await readState({ vfs: nodeVfs, path, key: before });
  const records = readRecords(inventedKinds, state as ReadState);
  await writeFile(join(directory, "master.key"), `${bytes.toString("hex")}\n`);
  expect(await refusal(open())).toBe("store.key_wrong");
  await writeState({ vfs: nodeVfs, path, key: masterKey(bytes), head: (state as ReadState).head, records });

  expect(await readFile(log), "empty, so it holds no seal").toEqual(wal);
  const again = await open();
  expect(await again.checkAudit()).toMatchObject({ ok: true, records: position });
  expect(await again.get(inventedKey("thing/3"))).toMatchObject({ value: { n: 3 } });
  await again.abandon();
  expect(await readFile(join(directory, "logs.db"))).toEqual(archive);
});
