import { createHash, createPrivateKey, createPublicKey } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { witnessKey } from "@gatehouse/contract/records";
import { type FileStore, openFileStore, signHead, type WitnessedHead, type WitnessKey } from "@gatehouse/store";
import { create } from "@gatehouse/store/decide";
import { type Files, readFiles } from "./files.ts";
import { type Reading, readAll } from "./reading.ts";
import { fakeSealed, tell } from "./story.ts";

/** A data directory that nobody touched, with what somebody could have copied of it before. */
export interface Installation {
  readonly files: Files;
  /** Earlier moments, oldest first, and where each stands. */
  readonly before: readonly Moment[];
  /** Signed by the server at the end and kept elsewhere. */
  readonly witness: WitnessedHead;
  /** All that it answers. */
  readonly reading: Reading;
  /** The head of its log. */
  readonly position: number;
  /** Up to where `state.json` speaks. */
  readonly checkpoint: number;
}

export interface Moment {
  readonly files: Files;
  readonly position: number;
  /** Up to where `state.json` speaks. */
  readonly checkpoint: number;
}

/** Steps before each copy, and whether a checkpoint follows the copy. */
const chapters = [
  { steps: 30, checkpoint: false },
  { steps: 40, checkpoint: true },
  { steps: 45, checkpoint: false },
  { steps: 15, checkpoint: true },
  { steps: 50, checkpoint: false },
  // The log of this moment ends exactly where the last checkpoint stands.
  { steps: 20, checkpoint: true },
  { steps: 12, checkpoint: false },
  { steps: 13, checkpoint: false },
];

export interface InstallationPlan {
  readonly home: string;
  /** Another name is another key and another history. */
  readonly name: string;
  /** Whether its oldest audit records were forgotten. */
  readonly isPruned: boolean;
}

export async function makeInstallation({ home, name, isPruned }: InstallationPlan): Promise<Installation> {
  const directory = join(home, name);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  // Known beforehand: every run has the same key, and so the same seals and links.
  const key = createHash("sha256").update(`key of ${name}`).digest("hex");
  await writeFile(join(directory, "master.key"), `${key}\n`, { mode: 0o600 });
  const before: Moment[] = [];
  let told = name.length;
  let checkpoint = 0;
  let witness: WitnessedHead | undefined;
  let reading: Reading | undefined;
  for (const [number, chapter] of chapters.entries()) {
    let store = await openFileStore({ directory });
    witness = await live(store, { name, from: told, steps: chapter.steps });
    told += chapter.steps;
    if (number === 4 && isPruned) await store.pruneAudit({ actor: "system", at: Date.UTC(2026, 5, 1) }, 21);
    const { position } = await store.head();
    await store.abandon();
    before.push({ files: await readFiles(directory), position, checkpoint });
    store = await openFileStore({ directory });
    if (chapter.checkpoint) {
      await store.checkpoint();
      checkpoint = position;
    }
    reading = await readAll(store);
    await store.abandon();
  }
  const last = before.pop();
  if (last === undefined || witness === undefined || reading === undefined) throw new Error("there are no chapters");
  const { position } = last;
  return { files: await compact(directory), before, witness, reading, position, checkpoint };
}

/** Goes on with the story, and signs where it stands. */
async function live(store: FileStore, { name, from, steps }: { name: string; from: number; steps: number }) {
  const key = fixedWitnessKey(name);
  if ((await store.get(witnessKey)) === undefined) {
    const subject = { subject: witnessKey.text, detail: { server: key.server } };
    const value = { server: key.server, secret: fakeSealed };
    await store.commit({ at: Date.UTC(2025, 11, 31), actor: "system", action: "witness.key_made", ...subject }, [
      create(witnessKey, value),
    ]);
  }
  await tell(store, from, steps);
  return signHead(key, await store.head(), "2026-06-01T00:00:00.000Z");
}

/** The same in every run, like everything here: so two runs of a seed do the same things. */
function fixedWitnessKey(name: string): WitnessKey {
  const prefix = Buffer.from("302e020100300506032b657004220420", "hex");
  const der = Buffer.concat([prefix, createHash("sha256").update(`witness of ${name}`).digest()]);
  const publicKey = createPublicKey(createPrivateKey({ key: der, format: "der", type: "pkcs8" }));
  const server = publicKey.export({ type: "spki", format: "der" }).subarray(-32).toString("base64url");
  return { server, secret: der.toString("base64url") };
}

/** Without the free space of `logs.db`: a change of bytes that nobody reads is no edit. */
async function compact(directory: string): Promise<Files> {
  const db = new DatabaseSync(join(directory, "logs.db"));
  db.exec("PRAGMA secure_delete = ON; VACUUM");
  db.close();
  return readFiles(directory);
}

/** As a thread was handed it: bytes arrive there as plain arrays. */
export function receive(installation: Installation): Installation {
  const before = installation.before.map((moment) => ({ ...moment, files: receiveFiles(moment.files) }));
  return { ...installation, files: receiveFiles(installation.files), before };
}

function receiveFiles(files: Files): Files {
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes)])) as Files;
}
