import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { faults, isFault } from "@gatehouse/contract";
import { credentialsKind, type RecordKey } from "@gatehouse/contract/records";
import { faultyVfs } from "@gatehouse/files/faulty";
import {
  diagnoseDataDirectory,
  type FileStore,
  openFileStore,
  type StoredRecord,
  verifyDataDirectory,
} from "@gatehouse/store";
import { create } from "@gatehouse/store/decide";
import { expect, test } from "vitest";
import { memoryIndex, newMemoryIndexDisk } from "../../packages/store/src/audit-index/memory-index.ts";
import { encodeHeader, genesis } from "../../packages/store/src/log-format.ts";
import { type LogSeal, openLogSeal } from "../../packages/store/src/log-seal.ts";
import { masterKey } from "../../packages/store/src/master-key.ts";
import { childEnvironment } from "../support/child-environment.ts";
import { inventedEntry } from "../support/invented-entry.ts";
import { stopMs, stopped } from "../support/stopped.ts";
import { Chance, counts } from "./support/chance.ts";
import { addGroup, damageBytes, damageMeaning, forge, oldHeader } from "./support/damaged-logs.ts";
import { makeScratch } from "./support/scratch.ts";
import { admin, repository, startServer } from "./support/server.ts";
import { count, tried } from "./support/tried.ts";

/** etcd: a malformed log ended the process with a panic. nginx-ui: two writers, and the state was neither's. */
const directory = "/data";
const logPath = `${directory}/state.json.audit-wal`;
const rounds = counts["90 damaged logs"];

test("a log whose bytes were changed is refused by name, or read up to what was never acknowledged", async (context) => {
  const chance = new Chance("bytes");
  const image = await goodImage();
  const seen: Record<string, number> = {};
  for (let round = 0; round < rounds; round += 1) {
    const outcome = await startOn(image, damageBytes(chance, image.log));
    seen[outcome] = (seen[outcome] ?? 0) + 1;
  }
  expect(Object.keys(seen).filter((name) => !isPlanned(name))).toEqual([]);
  expect(Object.keys(seen).length).toBeGreaterThanOrEqual(2);
  tried(context, `${count(rounds, "changed logs")}: ${tell(seen)}`);
});

test("a log with right links and wrong contents is refused by name as well", async (context) => {
  const chance = new Chance("meaning");
  const image = await goodImage();
  const seen: Record<string, number> = {};
  for (let round = 0; round < rounds / 5; round += 1) {
    const outcome = await startOn(image, damageMeaning(chance, image.log, image.seal));
    seen[outcome] = (seen[outcome] ?? 0) + 1;
  }
  expect(Object.keys(seen).filter((name) => !isPlanned(name))).toEqual([]);
  expect(seen["store.log_damaged"]).toBeGreaterThan(0);
  tried(context, `${count(rounds / 5, "relinked logs")}: ${tell(seen)}`);
});

test("a record of an unknown kind, in a newer form or with a value that its kind does not have is refused by that name", async (context) => {
  const image = await goodImage();
  const value = { sessions: [], tokens: [] };
  let cases = 0;
  // As a change is written today, and as it stands in a log of format 1.
  for (const version of [{ was: 0 }, { newVersion: 1 }]) {
    const planted = { key: "credentials/planted", ...version, value };
    const outcomes = [
      [planted, "opened"],
      [{ ...planted, key: "thing/planted" }, "store.kind_unknown"],
      [{ ...planted, key: "constructor/planted" }, "store.kind_unknown"],
      [{ ...planted, key: "thing/planted", value: null }, "store.kind_unknown"],
      [{ ...planted, form: 2 }, "store.format_unknown"],
      [{ ...planted, value: {} }, "store.record_unreadable"],
      [{ ...planted, value: { sessions: [], tokens: [{ id: "x", deadAt: "1" }] } }, "store.record_unreadable"],
      [{ ...planted, value: { ...value, more: 1 } }, "store.record_unreadable"],
      [{ ...planted, value: { ...value, ["__proto__"]: {} } }, "store.record_unreadable"],
    ] as const;
    for (const [change, name] of outcomes) {
      const text = JSON.stringify([change]);
      expect(await startOn(image, addGroup(image.log, text, image.seal)), text).toBe(name);
      cases += 1;
    }
  }
  tried(context, count(cases, "planted records"));
});

test("a change that follows no version of its record, or does not say which one, is refused as damage", async (context) => {
  const image = await goodImage();
  // An absent record, and one that the first commit wrote.
  const [absent, first] = ["credentials/planted", keyOfNumber(1).text];
  const value = { sessions: [], tokens: [] };
  expect(await startOn(image, addGroup(image.log, JSON.stringify([{ key: first, was: 1, value }]), image.seal))).toBe(
    "opened",
  );
  const changes = [
    { key: absent, value },
    { key: absent, was: 1, value },
    { key: absent, was: -1, value },
    { key: absent, was: "0", value },
    { key: absent, was: null, value },
    { key: absent, was: 0, value: null },
    { key: absent, newVersion: 0, value },
    { key: absent, newVersion: 2, value },
    { key: absent, newVersion: "1", value },
    { key: absent, newVersion: 1, value: null },
    { key: first, was: 0, value },
    { key: first, was: 2, value },
    { key: first, was: 0, value: null },
    { key: first, newVersion: 1, value },
    { key: first, newVersion: 3, value },
    // Both say something, and they may even say the same.
    { key: absent, was: 0, newVersion: 1, value },
    { key: absent, was: 0, newVersion: "1", value },
    { key: absent, was: 0, newVersion: true, value },
    { key: absent, was: 0, newVersion: null, value },
    { key: absent, was: "0", newVersion: 1, value },
  ];
  const wrong: string[] = [];
  for (const change of changes) {
    const text = JSON.stringify([change]);
    const outcome = await startOn(image, addGroup(image.log, text, image.seal));
    if (outcome !== "store.log_damaged") wrong.push(`${text}: ${outcome}`);
  }
  expect(wrong).toEqual([]);
  tried(context, count(changes.length, "planted changes"));
});

test("whoever writes the log without the master key writes nothing that is taken, however right its links are", async (context) => {
  const image = await goodImage();
  const raised = (text: string) => text.replaceAll("xxxx", "yyyy");
  const change = JSON.stringify([{ key: "credentials/planted", was: 0, value: { sessions: [], tokens: [] } }]);
  const foreign = openLogSeal(masterKey(Buffer.alloc(32, 7)));
  const [today, same] = [encodeHeader(genesis), (text: string) => text];
  const forged: readonly (readonly [string, Buffer])[] = [
    ["a group without a seal", addGroup(image.log, change, undefined)],
    ["a group with the seal of another key", addGroup(image.log, change, foreign)],
    ["other contents without seals", forge(image.log, today, raised)],
    ["the same contents without seals", forge(image.log, today, same)],
    ["a log of the format that had no seals", forge(image.log, oldHeader, raised)],
    ["the same contents in that format", forge(image.log, oldHeader, same)],
  ];
  const outcomes: string[] = [];
  for (const [how, log] of forged) outcomes.push(`${how}: ${await startOn(image, log)}`);
  expect(outcomes).toEqual(forged.map(([how]) => `${how}: store.log_damaged`));
  expect(await startOn(image, addGroup(image.log, change, image.seal)), "with the key it is taken").toBe("opened");
  tried(context, count(forged.length, "forged logs"));
});

test("what looks at a damaged directory on a disk gives a finding, never a crash", async (context) => {
  await using scratch = await makeScratch();
  const data = join(scratch.path, "data");
  const store = await openFileStore({ directory: data });
  const seal = openLogSeal(store.key);
  for (let n = 1; n <= 12; n += 1) await commitNumber(store, n);
  await store.abandon();
  const path = join(data, "state.json.audit-wal");
  const good = await readFile(path);
  const chance = new Chance("disk");
  const looks = counts["90 damaged directories"];
  for (let round = 0; round < looks; round += 1) {
    await writeFile(path, round % 2 === 0 ? damageBytes(chance, good) : damageMeaning(chance, good, seal));
    const diagnosis = await diagnoseDataDirectory({ directory: data }).catch(asOutcome);
    if (typeof diagnosis === "string") expect(isPlanned(diagnosis), diagnosis).toBe(true);
    const report = await verifyDataDirectory({ directory: data }).catch(asOutcome);
    if (typeof report === "string") expect(isPlanned(report), report).toBe(true);
  }
  tried(context, `${count(looks, "damaged directories")} diagnosed and verified`);
});

test("a data file that is a directory, a link or a pipe is refused by name, and not waited for", async (context) => {
  await using scratch = await makeScratch();
  const good = join(scratch.path, "good");
  await (await openFileStore({ directory: good })).close();
  const wrong: string[] = [];
  for (const name of ["state.json", "state.json.audit-wal", "logs.db", "master.key", "state.json.lock"]) {
    for (const kind of ["directory", "link", "pipe"] as const) {
      // Some people keep the large database on another disk; the others are small and belong here.
      if (name === "logs.db" && kind === "link") continue;
      const data = join(scratch.path, `${name}-${kind}`);
      await cp(good, data, { recursive: true });
      await replaceBy(kind, join(data, name));
      // Whoever opened the pipe to read would wait here for ever, for nobody writes: a refusal at all is one that did not.
      const opening = openFileStore({ directory: data }).then((store) => store.close().then(() => "opened"), asOutcome);
      const outcome = await stopped(`opening ${name} as a ${kind}`, opening);
      if (outcome === "opened" || !isPlanned(outcome)) wrong.push(`${name} as a ${kind}: ${outcome}`);
    }
  }
  expect(wrong).toEqual([]);
  tried(context, "14 data files of another kind");
});

test("the real server says in one line why it does not start on a damaged log", async (context) => {
  await using scratch = await makeScratch();
  const data = join(scratch.path, "data");
  const store = await openFileStore({ directory: data });
  for (let n = 1; n <= 12; n += 1) await commitNumber(store, n);
  await store.abandon();
  const path = join(data, "state.json.audit-wal");
  const log = await readFile(path);
  log[Math.floor(log.length / 3)] = 0;
  await writeFile(path, log);
  const { code, stderr } = await runMain(data);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^gatehouse-server: [^\n]*position [^\n]*gatehouse state recover[^\n]*\n$/);
  tried(context, "1 refused start");
});

test("a second process on the same directory is refused, and the first goes on", async (context) => {
  await using first = await startServer();
  const tries = await Promise.all([runMain(first.dataDir), runMain(first.dataDir)]);
  for (const { code, stderr } of tries) {
    expect(code).toBe(1);
    expect(stderr).toMatch(/^gatehouse-server: [^\n]*in use by another process[^\n]*\n$/);
  }
  await expect(openFileStore({ directory: first.dataDir })).rejects.toThrow("store.locked");
  expect(first.isAlive()).toBe(true);
  expect(await first.stop()).toBe(0);
  const after = await openFileStore({ directory: first.dataDir });
  expect((await after.verifyAudit()).ok).toBe(true);
  await after.close();
  tried(context, "3 other processes refused");
});

test("the judge of outcomes knows a planned refusal from a crash", async () => {
  const image = await goodImage();
  expect(await startOn(image, image.log)).toBe("opened");
  expect(isPlanned(asOutcome(new TypeError("x is not a function")))).toBe(false);
  expect(isPlanned(asOutcome(new SyntaxError("Unexpected token")))).toBe(false);
  expect(isPlanned("store.log_damaged")).toBe(true);
});

async function replaceBy(kind: "directory" | "link" | "pipe", path: string): Promise<void> {
  await rename(path, `${path}.real`);
  if (kind === "directory") await mkdir(path);
  else if (kind === "link") await symlink(`${path}.real`, path);
  else execFileSync("mkfifo", [path]);
}

interface Image {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly log: Buffer;
  readonly seal: LogSeal;
}

async function goodImage(): Promise<Image> {
  const disk = faultyVfs();
  const store = await openOn(disk);
  for (let n = 1; n <= 12; n += 3)
    await Promise.all([commitNumber(store, n), commitNumber(store, n + 1), commitNumber(store, n + 2)]);
  await store.abandon();
  const files = disk.contents();
  return { files, log: Buffer.from(files.get(logPath) as Uint8Array), seal: openLogSeal(store.key) };
}

/** Of a kind that the product has: every start here judges values as the real one does. */
function commitNumber(store: FileStore, n: number) {
  const key = keyOfNumber(n);
  const entry = inventedEntry({
    at: n,
    actor: "system",
    action: "thing.kept",
    subject: key.text,
    detail: { text: "ü€" },
  });
  const tokens = [1, 2].map((deadAt) => ({ id: "x".repeat(n * 7), deadAt }));
  return store.commit(entry, [create(key, { sessions: [], tokens })]);
}

function openOn(vfs: ReturnType<typeof faultyVfs>): Promise<FileStore> {
  return openFileStore({
    directory,
    vfs,
    openIndex: () => Promise.resolve(memoryIndex(newMemoryIndexDisk())),
    lock: () => ({ release: () => undefined }),
    onFatal: (error) => {
      throw error;
    },
  });
}

/** Starts on the log, asks for everything, and says how that ended. */
async function startOn(image: Image, log: Uint8Array): Promise<string> {
  let store: FileStore | undefined;
  try {
    store = await openOn(faultyVfs({ files: new Map(image.files).set(logPath, log) }));
    await store.list(credentialsKind);
    await store.searchAudit({ limit: 100 });
    const report = await store.verifyAudit();
    if (!report.ok) return "opened, does not verify";
    for (const key of plantedKeys) {
      const found = await store.get(key);
      if (found !== undefined && !isRecord(found)) return "opened with a malformed record";
    }
    return "opened";
  } catch (error) {
    return asOutcome(error);
  } finally {
    await store?.abandon().catch(() => undefined);
  }
}

/** Keys that a relinked log may bring in; what is no record by the rules of a commit must not become one by replay. */
const plantedKeys: readonly RecordKey[] = [
  // No kind makes these; the store looks for their text.
  ...["a/b", "nokind", "", "__proto__/x"].map((text) => ({
    kind: credentialsKind,
    id: text,
    text,
    toJSON: () => text,
  })),
  credentialsKind.key("planted"),
  ...Array.from({ length: 12 }, (_, n) => keyOfNumber(n + 1)),
];

function keyOfNumber(n: number) {
  return credentialsKind.key(`usr_${n}`);
}

function isRecord({ key, version, value }: StoredRecord): boolean {
  const isOwn = key.kind === credentialsKind && key.text === `credentials/${key.id}`;
  return isOwn && Number.isSafeInteger(version) && credentialsKind.schema.safeParse(value).success;
}

/** The code of a planned refusal, or what broke and where. */
function asOutcome(error: unknown): string {
  if (isFault(error)) return error.code;
  if (!(error instanceof Error)) return `crashed: ${typeof error}`;
  const where = /([\w-]+\.ts:\d+)/.exec(error.stack ?? "")?.[1] ?? error.message;
  return `crashed: ${error.name} at ${where}`;
}

function isPlanned(outcome: string): boolean {
  return outcome === "opened" || Object.hasOwn(faults, outcome);
}

function tell(seen: Readonly<Record<string, number>>): string {
  return Object.entries(seen)
    .sort(([, a], [, b]) => b - a)
    .map(([name, times]) => `${times} ${name}`)
    .join(", ");
}

/** The program on a directory, to its end. */
async function runMain(dataDir: string): Promise<{ code: number; stderr: string }> {
  const env = childEnvironment({
    SERVICE_DATA_DIR: dataDir,
    SERVICE_LISTEN: "127.0.0.1:0",
    SERVICE_ADMIN_USERNAME: admin.username,
    SERVICE_ADMIN_PASSWORD: admin.password,
  });
  const child = spawn(process.execPath, [join(repository, "apps/server/src/main.ts")], {
    env,
    cwd: repository,
    stdio: ["ignore", "ignore", "pipe"],
    timeout: stopMs,
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { code: code ?? -1, stderr };
}
