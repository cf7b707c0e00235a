import { isFault } from "@gatehouse/contract";
import { faultyVfs } from "@gatehouse/files/faulty";
import { type Change, type FileStore, openFileStore } from "@gatehouse/store";
import { create, put, remove } from "@gatehouse/store/decide";
import {
  type MemoryIndexDisk,
  memoryIndex,
  newMemoryIndexDisk,
} from "../../packages/store/src/audit-index/memory-index.ts";
import { inventedKey, inventedKind, inventedKinds } from "../support/invented-kinds.ts";
import { inventedEntry } from "../support/invented-entry.ts";
import { directory } from "./simulated-store.ts";

export type FileName = "state.json" | "state.json.audit-wal" | "master.key";

/** The files of a store that was left in good order, to be damaged one copy at a time, and what it held at each position. */
export interface Image {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly index: MemoryIndexDisk;
  readonly texts: ReadonlyMap<number, string>;
  readonly last: number;
}

/** `archived` records behind a checkpoint, then `count` records in the log, in groups of different sizes. */
export async function prepareImage(archived: number, count: number): Promise<Image> {
  // Always the same key, so that every run flips the same bits.
  const disk = faultyVfs({
    files: new Map([[`${directory}/master.key`, Buffer.from(`${"0123456789abcdef".repeat(4)}\n`)]]),
  });
  const index = newMemoryIndexDisk();
  const store = await openOn(disk, index);
  const texts = new Map([[0, await textOf(store)]]);
  const groups = [1, 3, 2, 7, 1, 4];
  for (let done = 0, round = 0; done < archived + count; round += 1) {
    const size = Math.min(
      groups[round % groups.length] as number,
      (done < archived ? archived : archived + count) - done,
    );
    await Promise.all(Array.from({ length: size }, (_, offset) => commitNumber(store, done + offset + 1)));
    done += size;
    // Every record of a group has the same text: a group is whole or absent.
    texts.set(done, await textOf(store));
    if (done === archived) await store.checkpoint();
  }
  await store.abandon();
  return { files: disk.contents(), index, texts, last: archived + count };
}

/** Commit `n` gets position `n`. Of every form: put, put again, remove, several at once, none at all, texts of many bytes. */
function commitNumber(store: FileStore, n: number): Promise<unknown> {
  const entry = inventedEntry({
    at: n,
    actor: n % 2 === 0 ? "system" : "usr_ü",
    action: "crash.kept",
    subject: `a/${n}`,
  });
  return store.commit(entry, changesOf(n), n % 5 === 0 ? [{ key: inventedKey("absent/x"), version: 0 }] : []);
}

function changesOf(n: number): readonly Change[] {
  const round = Math.floor(n / 6);
  const form = n % 6;
  const own = inventedKey(`a/${round}`);
  if (form === 0) return [];
  if (form === 1) return [create(own, { n })];
  if (form === 2) return [put({ key: own, version: n - 1 }, { n, text: "€ü" })];
  if (form === 3) return [remove({ key: own, version: n - 1 })];
  // Both are written in the last two commits of every six.
  const version = form === 5 ? n - 1 : Math.max(0, n - 5);
  return [put({ key: inventedKey("b/one"), version }, { n }), put({ key: inventedKey("b/two"), version }, {})];
}

function openOn(vfs: ReturnType<typeof faultyVfs>, index: MemoryIndexDisk): Promise<FileStore> {
  return openFileStore({
    directory,
    kinds: inventedKinds,
    vfs,
    openIndex: async () => memoryIndex(index),
    lock: () => ({ release: () => undefined }),
    onFatal: (error) => {
      throw error;
    },
    checkpointBytes: 1_000_000_000,
  });
}

async function textOf(store: FileStore): Promise<string> {
  const head = await store.head();
  const records = [...(await store.list(inventedKind("a"))), ...(await store.list(inventedKind("b")))];
  return JSON.stringify([head.link, records.map(({ key, version, value }) => [key.text, version, value])]);
}

/**
 * refused   with a named fault
 * exact     everything is there, nothing else
 * cut       a first part is there, and the store says that it cut something off
 * shorter   a first part is there, and nothing says so
 * wrong     anything else
 */
export type Reading = "refused" | "exact" | "cut" | "shorter" | "wrong";

/** Starts on the image with one file replaced. */
export async function readDamaged(
  image: Image,
  name: FileName,
  bytes: Uint8Array,
): Promise<{ reading: Reading; what: string }> {
  const files = new Map(image.files).set(`${directory}/${name}`, bytes);
  let store: FileStore;
  try {
    store = await openOn(faultyVfs({ files }), { ...image.index, groups: [...image.index.groups] });
  } catch (error) {
    const named = isFault(error) && (error.kind === "startup" || error.kind === "damaged");
    return { reading: named ? "refused" : "wrong", what: String(error) };
  }
  const { position } = await store.head();
  const same = (await textOf(store)) === image.texts.get(position);
  const report = same ? await store.verifyAudit() : undefined;
  const { cut } = store;
  await store.abandon();
  const what = `started at ${position} of ${image.last}${cut === undefined ? "" : `, ${cut.bytes} bytes cut off`}`;
  if (!same) return { reading: "wrong", what };
  if (report?.ok !== true) return { reading: "wrong", what: `${what}, but the chain does not verify` };
  if (position === image.last) return { reading: "exact", what };
  return { reading: cut === undefined ? "shorter" : "cut", what };
}
