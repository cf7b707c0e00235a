import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, test } from "vitest";
import { inventedKind, inventedKinds } from "../../../tests/support/invented-kinds.ts";
import { create } from "./change.ts";
import { openFileStore } from "./file-store.ts";
import { kindsOf } from "./kinds.ts";
import { diagnoseDataDirectory, recoverDataDirectory } from "./recover.ts";
import { entryOf, refusal } from "./store-cases.ts";
import { verifyDataDirectory } from "./verify-directory.ts";
import { newWitnessKey, signHead } from "./witness.ts";

const root = await mkdtemp(join(tmpdir(), "gatehouse-recover-"));
afterAll(() => rm(root, { recursive: true, force: true }));
let serial = 0;

/** Ten records behind a checkpoint, then five in the log, left as a killed process would leave them. */
async function filled(kindInLog = "thing"): Promise<string> {
  serial += 1;
  const directory = join(root, `data-${serial}`);
  const store = await openFileStore({ directory, kinds: inventedKinds });
  const commit = async (kind: string, n: number) => {
    await store.commit(entryOf(`${kind}/${n}`), [create(inventedKind(kind).key(String(n)), { n })]);
  };
  for (let n = 1; n <= 10; n += 1) await commit("thing", n);
  await store.checkpoint();
  for (let n = 11; n <= 15; n += 1) await commit(kindInLog, n);
  await store.abandon();
  return directory;
}

async function flip(path: string, needle: string, offset: number): Promise<void> {
  const bytes = await readFile(path);
  const at = bytes.indexOf(needle) + offset;
  bytes[at] = (bytes[at] as number) ^ 1;
  await writeFile(path, bytes);
}

async function reopened(
  directory: string,
): Promise<{ records: number; things: number; lastAction: string | undefined }> {
  const store = await openFileStore({ directory, kinds: inventedKinds });
  try {
    const report = await store.verifyAudit();
    expect(report.ok).toBe(true);
    const things = await store.list(inventedKind("thing"));
    const last = await store.searchAudit({ limit: 1 });
    return { records: report.records, things: things.length, lastAction: last.items[0]?.action };
  } finally {
    await store.close();
  }
}

describe("state recover", () => {
  test("a healthy directory needs nothing and is left as it is", async () => {
    const directory = await filled();
    const before = await readFile(join(directory, "state.json.audit-wal"));
    const found = await recoverDataDirectory({ directory, kinds: inventedKinds });
    expect(found).toMatchObject({ healthy: true, recoverable: true, kept: [] });
    expect(await readFile(join(directory, "state.json.audit-wal"))).toEqual(before);
  });

  test("a damaged log is cut at the damage, the old one is kept, and the loss is written down", async () => {
    const directory = await filled();
    await flip(join(directory, "state.json.audit-wal"), '"first":13', 250);
    expect(await refusal(openFileStore({ directory, kinds: inventedKinds }))).toBe("store.log_damaged");
    const seen = await diagnoseDataDirectory({ directory, kinds: inventedKinds });
    expect(seen).toMatchObject({ healthy: false, recoverable: true });
    expect(await refusal(openFileStore({ directory, kinds: inventedKinds }))).toBe("store.log_damaged");
    const done = await recoverDataDirectory({ directory, kinds: inventedKinds });
    expect(done.findings.find((finding) => !finding.ok)).toMatchObject({ remedy: { name: "cut-log" } });
    expect(done.kept).toHaveLength(1);
    expect(await reopened(directory)).toEqual({ records: 13, things: 12, lastAction: "state.recovered" });
  });

  test("an edited state.json is taken only by recovery", async () => {
    const directory = await filled();
    await flip(join(directory, "state.json"), '"n":7', 4);
    expect(await refusal(openFileStore({ directory, kinds: inventedKinds }))).toBe("store.state_damaged");
    await recoverDataDirectory({ directory, kinds: inventedKinds });
    expect(await reopened(directory)).toMatchObject({ records: 16, things: 15, lastAction: "state.recovered" });
  });

  test("a lost log begins anew behind the checkpoint", async () => {
    const directory = await filled();
    await rm(join(directory, "state.json.audit-wal"));
    await recoverDataDirectory({ directory, kinds: inventedKinds });
    expect(await reopened(directory)).toEqual({ records: 11, things: 10, lastAction: "state.recovered" });
  });

  test("a lost or damaged archive begins anew, and verification says where it starts", async () => {
    for (const harm of ["lost", "damaged"]) {
      const directory = await filled();
      const path = join(directory, "logs.db");
      if (harm === "lost") await rm(path);
      else
        await writeFile(
          path,
          "this is no database, but it is long enough to look like a file with a header in it".repeat(99),
        );
      const done = await recoverDataDirectory({ directory, kinds: inventedKinds });
      expect(done.findings.find((finding) => !finding.ok)).toMatchObject({ remedy: { name: "new-archive" } });
      const store = await openFileStore({ directory, kinds: inventedKinds });
      expect(await store.verifyAudit()).toMatchObject({ ok: true, floor: { position: 10 }, records: 6 });
      await store.close();
      expect((await readdir(directory)).some((name) => name.startsWith("logs.db.before"))).toBe(harm === "damaged");
    }
  });

  test("a record in the log that this version cannot read is told as the start tells it, and nothing is changed", async () => {
    const directory = await filled("later");
    const before = await readFile(join(directory, "state.json.audit-wal"));
    const kinds = kindsOf([inventedKind("thing")]);
    const refused = await refusal(openFileStore({ directory, kinds }));
    expect(refused).toBe("store.kind_unknown");
    expect(await diagnoseDataDirectory({ directory, kinds })).toMatchObject({ healthy: false, recoverable: false });
    expect(await refusal(recoverDataDirectory({ directory, kinds }))).toBe(refused);
    expect(await readFile(join(directory, "state.json.audit-wal"))).toEqual(before);
  });

  test("without its key or its records only a backup helps", async () => {
    const directory = await filled();
    await truncate(join(directory, "state.json"), 300);
    expect(await diagnoseDataDirectory({ directory, kinds: inventedKinds })).toMatchObject({ recoverable: false });
    expect(await refusal(recoverDataDirectory({ directory, kinds: inventedKinds }))).toBe("store.state_damaged");
    await rm(join(directory, "master.key"));
    expect((await diagnoseDataDirectory({ directory, kinds: inventedKinds })).findings).toMatchObject([
      { file: "master.key", ok: false },
    ]);
    expect(await refusal(recoverDataDirectory({ directory, kinds: inventedKinds }))).toBe("store.key_missing");
  });
});

describe("an archive that somebody edited", () => {
  const edited = async (edit: string): Promise<string> => {
    const directory = await filled();
    const database = new DatabaseSync(join(directory, "logs.db"), { defensive: false });
    database.exec(edit);
    database.close();
    return directory;
  };
  const kinds = inventedKinds;
  const archiveOf = async (directory: string) => (await diagnoseDataDirectory({ directory, kinds })).findings[3];

  test.each(
    Object.entries({
      "another text of an entry":
        "UPDATE audit_entries SET public = replace(public, 'usr_1', 'usr_2') WHERE position = 3",
      "a text that is no JSON": "UPDATE audit_entries SET public = 'x' WHERE position = 3",
      "an entry that is gone": "DELETE FROM audit_entries WHERE position = 3",
      "a link": "UPDATE audit_groups SET link = replace(link, substr(link, 1, 1), 'x') WHERE first = 3",
    }),
  )("%s: start, verification and recovery say that the chain is broken", async (_, edit) => {
    const directory = await edited(edit);
    const broken = { file: "logs.db", position: 3 };
    expect(await verifyDataDirectory({ directory, kinds })).toMatchObject({ ok: false, broken });
    expect(await archiveOf(directory)).toMatchObject({ ok: false, remedy: { name: "new-archive" } });
    const store = await openFileStore({ directory, kinds });
    expect(await store.verifyAudit()).toMatchObject({ ok: false, broken });
    expect(await store.checkAudit()).toMatchObject({ ok: false, broken });
    await store.close();
    await recoverDataDirectory({ directory, kinds });
    expect(await reopened(directory)).toMatchObject({ things: 15, lastAction: "state.recovered" });
  });

  test.each(
    Object.entries({
      "another action": "UPDATE audit_entries SET action = 'auth.swept' WHERE position = 3",
      "another actor": "UPDATE audit_entries SET actor = 'nobody' WHERE position = 3",
      "another subject": "UPDATE audit_entries SET subject = 'x/y' WHERE position = 3",
      "another time": "UPDATE audit_entries SET at = 1 WHERE position = 3",
      "no words": "DELETE FROM audit_text WHERE rowid = 3",
      "no span of time": "DELETE FROM audit_spans",
    }),
  )("an entry filed under %s: nothing is lost, and the check makes the search anew", async (_, edit) => {
    const directory = await edited(edit);
    const broken = { file: "logs.db" };
    expect(await verifyDataDirectory({ directory, kinds })).toMatchObject({ ok: false, broken });
    expect(await archiveOf(directory)).toMatchObject({ ok: false, remedy: { name: "rebuild-archive" } });
    const store = await openFileStore({ directory, kinds });
    expect(await store.checkAudit()).toMatchObject({ ok: true, records: 15, rebuilt: broken });
    expect(await store.checkAudit()).not.toHaveProperty("rebuilt");
    expect((await store.searchAudit({ subject: "thing/3", text: "thing", limit: 5 })).items).toHaveLength(1);
    await store.close();
    expect(await verifyDataDirectory({ directory, kinds })).toMatchObject({ ok: true });
  });

  test("recovery makes the search anew as the check does, and keeps the file", async () => {
    const directory = await edited("DELETE FROM audit_text WHERE rowid = 3; UPDATE audit_meta SET pruned = 2");
    expect(await refusal(openFileStore({ directory, kinds }))).toBe("store.archive_damaged");
    const { kept } = await recoverDataDirectory({ directory, kinds });
    expect(kept).toEqual(["logs.db.before-rebuild"]);
    expect(await reopened(directory)).toMatchObject({ records: 16, things: 15, lastAction: "state.recovered" });
  });

  test.each([
    ["a trigger", "CREATE TRIGGER t AFTER INSERT ON audit_entries BEGIN DELETE FROM audit_groups; END"],
    ["a table that is gone", "DROP TABLE audit_text"],
    ["an index that is gone", "DROP INDEX audit_action"],
    [
      "an entry beyond the end",
      "INSERT INTO audit_entries SELECT 12, at, actor, action, subject, public FROM audit_entries WHERE position = 1",
    ],
  ])("the start makes a file anew in which it finds %s, and says so", async (_, edit) => {
    const directory = await edited(edit);
    expect(await verifyDataDirectory({ directory, kinds })).toMatchObject({ ok: false, broken: { file: "logs.db" } });
    expect(await archiveOf(directory)).toMatchObject({ ok: false, remedy: { name: "rebuild-archive" } });
    const store = await openFileStore({ directory, kinds });
    expect(store.rebuilt).toMatchObject({ file: "logs.db", kept: expect.stringContaining("before-rebuild") });
    expect(await store.checkAudit()).toMatchObject({ ok: true, records: 15 });
    await store.checkpoint();
    expect((await store.searchAudit({ subject: "thing/12", limit: 5 })).items).toHaveLength(1);
    await store.close();
    expect(await reopened(directory)).toMatchObject({ records: 15 });
  });

  test("the start makes a file anew whose index has a damaged page", async () => {
    const directory = await filled();
    const path = join(directory, "logs.db");
    const database = new DatabaseSync(path);
    const { root: page } = database
      .prepare("SELECT rootpage AS root FROM sqlite_schema WHERE name = 'audit_actor'")
      .get() as {
      root: number;
    };
    database.close();
    const bytes = await readFile(path);
    const size = bytes.readUInt16BE(16);
    bytes.fill(0, (page - 1) * size, page * size);
    await writeFile(path, bytes);
    const store = await openFileStore({ directory, kinds });
    expect(store.rebuilt).toMatchObject({ file: "logs.db" });
    expect((await store.searchAudit({ actor: "usr_1", limit: 50 })).items).toHaveLength(15);
    await store.close();
  });

  test("pages of it that are damaged are an answer of the verification, not an error, and can be recovered from", async () => {
    const directory = await filled();
    const path = join(directory, "logs.db");
    const bytes = await readFile(path);
    const page = bytes.readUInt16BE(16);
    for (let at = page; at < bytes.length; at += page) bytes.fill(0, at + 8, at + page);
    await writeFile(path, bytes);
    const found = await diagnoseDataDirectory({ directory, kinds: inventedKinds });
    expect(found).toMatchObject({ healthy: false, recoverable: true });
    await recoverDataDirectory({ directory, kinds: inventedKinds });
    expect(await reopened(directory)).toMatchObject({ things: 15, lastAction: "state.recovered" });
  });
});

describe("what was forgotten", () => {
  const kinds = inventedKinds;
  /** A directory whose first four records are forgotten, and into whose archive somebody put others in their place. */
  const withPast = async (groups: string): Promise<string> => {
    serial += 1;
    const directory = join(root, `data-${serial}`);
    const store = await openFileStore({ directory, kinds });
    for (let n = 0; n < 10; n += 1) await store.commit(entryOf("x/y"));
    await store.checkpoint();
    await store.pruneAudit({ actor: "system", at: 1 }, 4);
    const { floor } = await store.verifyAudit();
    await store.close();
    const database = new DatabaseSync(join(directory, "logs.db"));
    const entry = "at, 'usr_mallory', action, subject, replace(public, 'usr_1', 'usr_mallory')";
    database.exec(
      `INSERT INTO audit_entries SELECT position - 2, ${entry} FROM audit_entries WHERE position IN (5, 6)`,
    );
    database.exec(`INSERT INTO audit_groups ${groups.replace("$link", floor.link)}`);
    database.exec("UPDATE audit_meta SET pruned = 2");
    database.close();
    return directory;
  };

  test("what is forgotten is gone before anybody can read it, whatever stands in its place", async () => {
    const directory = await withPast("VALUES (3, 2, 'x', '$link')");
    const store = await openFileStore({ directory, kinds });
    expect((await store.searchAudit({ actor: "usr_mallory", limit: 5 })).items).toEqual([]);
    expect(await store.checkAudit()).toMatchObject({ ok: true, floor: { position: 4 } });
    await store.close();
  });

  test.each([
    ["a group across the beginning", "VALUES (3, 3, 'x', '$link')", "a group that ends at 4"],
    ["another link", "VALUES (3, 2, 'x', 'y')", "link"],
  ])("an archive is refused in which %s stands before its beginning", async (_, groups, expected) => {
    const directory = await withPast(groups);
    const flaw = { position: 4, expected: expect.stringContaining(expected) };
    expect(await verifyDataDirectory({ directory, kinds })).toMatchObject({ ok: false, broken: flaw });
    expect(await diagnoseDataDirectory({ directory, kinds })).toMatchObject({ healthy: false, recoverable: true });
    await expect(openFileStore({ directory, kinds })).rejects.toMatchObject({
      code: "store.archive_damaged",
      fields: flaw,
    });
    await recoverDataDirectory({ directory, kinds });
    const store = await openFileStore({ directory, kinds });
    expect(await store.checkAudit()).toMatchObject({ ok: true, floor: { position: 4 } });
    await store.close();
  });
});

describe("audit verify, offline", () => {
  test("a chain in archive and log verifies, and no byte of the four files is changed", async () => {
    const directory = await filled();
    const names = ["state.json", "state.json.audit-wal", "logs.db", "master.key"];
    const bytes = () => Promise.all(names.map((name) => readFile(join(directory, name), "latin1")));
    const before = await bytes();
    expect(await verifyDataDirectory({ directory, kinds: inventedKinds })).toMatchObject({
      ok: true,
      records: 15,
      unfinishedBytes: 0,
    });
    expect(await diagnoseDataDirectory({ directory, kinds: inventedKinds })).toMatchObject({ healthy: true });
    expect(await bytes()).toEqual(before);
  });

  test("a directory in use is refused", async () => {
    const directory = await filled();
    const store = await openFileStore({ directory, kinds: inventedKinds });
    expect(await refusal(verifyDataDirectory({ directory, kinds: inventedKinds }))).toBe("store.locked");
    await store.close();
  });

  test("a missing archive is not made up", async () => {
    const directory = await filled();
    await rm(join(directory, "logs.db"));
    expect(await refusal(verifyDataDirectory({ directory, kinds: inventedKinds }))).toBe(
      "store.files_of_different_moments",
    );
    expect(await readdir(directory)).not.toContain("logs.db");
  });

  test("a witness finds an end that was cut off, and a history that was rewritten", async () => {
    const directory = await filled();
    const { head } = await verifyDataDirectory({ directory, kinds: inventedKinds });
    const key = newWitnessKey();
    const now = "2026-01-01T00:00:00.000Z";
    const witness = signHead(key, head, now);
    expect(await verifyDataDirectory({ directory, kinds: inventedKinds, witness })).toMatchObject({
      ok: true,
      witnessed: head,
    });

    const path = join(directory, "state.json.audit-wal");
    const bytes = await readFile(path);
    const lastMark = bytes.lastIndexOf('\n\n{"synced":14');
    await truncate(path, lastMark + 1);
    expect(await verifyDataDirectory({ directory, kinds: inventedKinds })).toMatchObject({
      ok: true,
      head: { position: 14 },
    });
    expect(await verifyDataDirectory({ directory, kinds: inventedKinds, witness })).toMatchObject({
      ok: false,
      broken: { position: 15 },
    });

    const forked = signHead(key, { position: 14, link: "ab".repeat(32) }, now);
    expect(await verifyDataDirectory({ directory, kinds: inventedKinds, witness: forked })).toMatchObject({
      ok: false,
    });
    const inArchive = signHead(key, { position: 7, link: "ab".repeat(32) }, now);
    expect(await verifyDataDirectory({ directory, kinds: inventedKinds, witness: inArchive })).toMatchObject({
      ok: false,
    });
    expect(
      await refusal(verifyDataDirectory({ directory, kinds: inventedKinds, witness: { ...witness, at: "later" } })),
    ).toBe("store.malformed");
  });
});
