import { hash } from "node:crypto";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { JsonObject } from "@gatehouse/base";
import { encodeBase64url, noHead, witnessHeadFrame } from "@gatehouse/channel";
import { usernameKind } from "@gatehouse/contract/records";
import { importPrivateKey, publicKeyBytes, signBytes } from "@gatehouse/keys";
import { joinSigned } from "@gatehouse/keys/frame";
import { newWitnessKey, openFileStore, signHead } from "@gatehouse/store";
import { create } from "@gatehouse/store/decide";
import { afterEach, beforeEach, expect, test } from "vitest";
import { inventedEntry } from "../../../../tests/support/invented-entry.ts";
import { noTerminal } from "../../test/no-terminal.ts";
import { commands } from "../command-table.ts";
import { run } from "../run.ts";

/** These run the real commands on a real data directory. */
let directory = "";
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "gatehouse-cli-"));
});
afterEach(() => rm(directory, { recursive: true }));

async function fill(records: number): Promise<{ position: number; link: string }> {
  const store = await openFileStore({ directory });
  for (let at = 1; at <= records; at += 1) {
    const key = usernameKind.key(`name${at}`);
    await store.commit(inventedEntry({ at, actor: "system", action: "thing.made", subject: key.text }), [
      create(key, { userId: "usr_red" }),
    ]);
  }
  const head = await store.head();
  await store.close();
  return head;
}

async function call(words: string, environment: Record<string, string> = {}) {
  const text = { out: "", err: "" };
  const screen = (name: "out" | "err") => ({ write: (part: string) => void (text[name] += part) });
  const streams = { out: screen("out"), err: screen("err"), colour: false };
  const code = await run({ commands, environment, streams, terminal: noTerminal }, words.split(" "));
  return { code, ...text };
}

async function callJson(words: string): Promise<{ code: number; found: JsonObject }> {
  const { code, out } = await call(`${words} --data-dir ${directory} --json`);
  return { code, found: JSON.parse(out) as JsonObject };
}

/** Of the files that hold state, log and key; opening logs.db touches its header, whatever is then read from it. */
async function digests(): Promise<Record<string, string>> {
  const names = ["state.json", "state.json.audit-wal", "master.key"];
  const hashes = names.map(async (name) => hash("sha256", await readFile(join(directory, name)), "hex"));
  return Object.fromEntries((await Promise.all(hashes)).map((digest, index) => [names[index] ?? "", digest]));
}

test("a whole log is told with its records and its end, and nothing is changed", async () => {
  const head = await fill(5);
  const before = await digests();
  const { code, out } = await call(`audit verify --data-dir ${directory}`);
  expect(code).toBe(0);
  expect(out).toContain(`The audit log in ${directory} is whole: 5 records.`);
  expect(out).toContain(`to       position 5, link ${head.link}`);
  expect(await callJson("audit verify")).toMatchObject({ code: 0, found: { ok: true, records: 5, head } });
  expect(await digests()).toEqual(before);
});

test("the directory comes from the flag, else from the environment the server uses", async () => {
  await fill(1);
  expect((await call("audit verify", { SERVICE_DATA_DIR: directory })).code).toBe(0);
  const other = await call("audit verify --data-dir /nonexistent", { SERVICE_DATA_DIR: directory });
  expect(other).toMatchObject({ code: 2, err: expect.stringContaining("/nonexistent") });
});

test("a master key kept elsewhere is named by flag or environment", async () => {
  await fill(1);
  const key = join(directory, "elsewhere.key");
  await copyFile(join(directory, "master.key"), key);
  await rm(join(directory, "master.key"));
  expect(await call(`audit verify --data-dir ${directory}`)).toMatchObject({
    code: 1,
    err: expect.stringContaining("store.key_missing"),
  });
  expect((await call(`audit verify --data-dir ${directory} --master-key-file ${key}`)).code).toBe(0);
  expect((await call(`audit verify --data-dir ${directory}`, { SERVICE_MASTER_KEY_FILE: key })).code).toBe(0);
});

test("a directory in use is refused", async () => {
  const store = await openFileStore({ directory });
  expect(await call(`audit verify --data-dir ${directory}`)).toMatchObject({
    code: 1,
    err: expect.stringContaining("store.locked"),
  });
  await store.close();
});

test("a witness that agrees is told; one from beyond the end shows that the end was cut off", async () => {
  const head = await fill(3);
  const witness = join(directory, "witness.json");
  const key = newWitnessKey();
  await writeFile(witness, JSON.stringify(signHead(key, head, "2026-01-01T00:00:00.000Z")));
  expect(await call(`audit verify --data-dir ${directory} --witness ${witness}`)).toMatchObject({
    code: 0,
    out: expect.stringContaining("witness  agrees at position 3"),
  });
  await writeFile(witness, JSON.stringify(signHead(key, { position: 9, link: head.link }, "2026-01-02T00:00:00.000Z")));
  expect(await call(`audit verify --data-dir ${directory} --witness ${witness}`)).toMatchObject({
    code: 1,
    out: expect.stringContaining("broken at position 9"),
  });
  await writeFile(witness, "not json");
  expect((await call(`audit verify --data-dir ${directory} --witness ${witness}`)).err).toContain(
    "is not a witness file",
  );
  expect((await call(`audit verify --data-dir ${directory} --witness ${witness}.gone`)).code).toBe(2);
});

test("the heads that a host keeps are held against the log: the first that does not fit is named, with the host", async () => {
  await fill(3);
  const store = await openFileStore({ directory });
  const links = new Map<number, string>();
  for (const position of [1, 2, 3]) links.set(position, (await store.linkAt(position)) ?? "");
  await store.close();
  const key = importPrivateKey(new Uint8Array(32).fill(5));
  const signedAt = (n: number, position: number, link: string) => {
    const framed = witnessHeadFrame({ n, prev: noHead, position, link: Uint8Array.fromHex(link), at: 1 });
    return encodeBase64url(joinSigned(framed, signBytes(key, framed)));
  };
  const file = join(directory, "host.json");
  const held = async (heads: readonly string[], more: object = {}) => {
    const server = encodeBase64url(publicKeyBytes(key));
    await writeFile(
      file,
      JSON.stringify({ kind: "gatehouse-witness", schema: 1, node: "node_x", server, heads, ...more }),
    );
    return call(`audit verify --data-dir ${directory} --witness ${file}`);
  };
  const good = [1, 3].map((position) => signedAt(position, position, links.get(position) ?? ""));
  expect(await held(good)).toMatchObject({ code: 0, out: expect.stringContaining("witness  agrees at position 3") });
  const forged = signedAt(2, 2, "ab".repeat(32));
  expect(await held([...good, forged])).toMatchObject({
    code: 1,
    out: expect.stringMatching(/broken at position 2[^]*node_x knows better from position 2 on/),
  });
  expect(await held([...good, signedAt(9, 9, "ab".repeat(32))])).toMatchObject({
    code: 1,
    out: expect.stringMatching(/an end at 3: its end was cut off[^]*node_x/),
  });
  expect((await held([`${good[0]?.slice(0, -8)}AAAAAAAA`])).err).toContain("witness.signature");
  expect((await held([])).err).toContain("store.malformed");
});

test("sound data needs no repair, and --apply leaves it alone", async () => {
  await fill(2);
  const before = await digests();
  expect(await call(`state recover --data-dir ${directory}`)).toMatchObject({
    code: 0,
    out: expect.stringContaining("is sound"),
  });
  expect(await callJson("state recover --apply")).toMatchObject({
    code: 0,
    found: { healthy: true, applied: false, kept: [] },
  });
  expect(await digests()).toEqual(before);
});

test("damage is only described until --apply is given; then the old file is kept and the server's data opens again", async () => {
  await fill(2);
  const file = join(directory, "state.json");
  await writeFile(file, (await readFile(file, "utf8")).replace("usr_red", "usr_tan"));
  const before = await digests();
  const look = await call(`state recover --data-dir ${directory}`);
  expect(look).toMatchObject({ code: 1, out: expect.stringContaining("nothing was changed") });
  expect(look.out).toContain("--apply");
  expect(await digests()).toEqual(before);

  const { code, found } = await callJson("state recover --apply");
  expect({ code, applied: found["applied"] }).toEqual({ code: 0, applied: true });
  const [kept] = found["kept"] as string[];
  expect(hash("sha256", await readFile(join(directory, kept ?? "")), "hex")).toBe(before["state.json"]);
  expect((await call(`audit verify --data-dir ${directory}`)).code).toBe(0);
});

test("what only a backup can help is said to be so", async () => {
  await fill(2);
  await rm(join(directory, "master.key"));
  const { code, out } = await call(`state recover --data-dir ${directory}`);
  expect(code).toBe(1);
  expect(out).toContain("cannot be repaired from itself");
  expect(out).toContain("Restore the four files from one backup.");
  expect((await call(`state recover --data-dir ${directory} --apply`)).code).toBe(1);
});

test("old records are shown first and removed with --apply, which is on the record; the chain verifies from there on", async () => {
  await fill(5);
  const say = (more = "") => call(`audit prune --older-than 30d --data-dir ${directory}${more}`);
  const shown = await say();
  expect([shown.code, shown.out]).toEqual([0, expect.stringContaining("positions 1 to 5.")]);
  expect(await callJson("audit verify")).toMatchObject({ found: { records: 5, floor: { position: 0 } } });
  const done = await say(" --apply");
  expect([done.code, done.out]).toEqual([0, expect.stringContaining("5 records were removed")]);
  expect(await callJson("audit verify")).toMatchObject({
    code: 0,
    found: { ok: true, records: 1, floor: { position: 5 } },
  });
  const again = await say(" --apply");
  expect([again.code, again.out]).toEqual([0, expect.stringContaining("Nothing in the audit log")]);
  const store = await openFileStore({ directory });
  const { items } = await store.searchAudit({ limit: 9 });
  await store.close();
  expect(items).toMatchObject([{ position: 6, actor: "cli", action: "audit.pruned", detail: { position: 5 } }]);
});

test("pruning needs a time that is far enough back, and leaves an empty directory and a damaged log as they are", async () => {
  const words = `audit prune --data-dir ${directory}`;
  expect(await call(`${words} --older-than 90d`)).toMatchObject({
    code: 2,
    err: expect.stringContaining("does not hold"),
  });
  await fill(3);
  expect(await call(words)).toMatchObject({ code: 2, err: expect.stringContaining("--older-than is missing") });
  expect(await call(`${words} --older-than 29d`)).toMatchObject({ code: 2, err: expect.stringContaining("30d") });
  const archive = new DatabaseSync(join(directory, "logs.db"));
  archive.exec("UPDATE audit_entries SET public = replace(public, 'name2', 'nameX') WHERE position = 2");
  archive.close();
  const refused = await call(`${words} --older-than 90d --apply`);
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("store.archive_damaged") });
});
