import { createHmac, timingSafeEqual } from "node:crypto";
import { fault } from "@gatehouse/contract/faults";
import { isAbsent, replaceDurably, type Vfs } from "@gatehouse/files";
import { isWhole, isWritten, type WrittenRecord } from "./kinds.ts";
import { readLines } from "./lines.ts";
import type { MasterKey } from "./master-key.ts";
import type { Head, StoredRecord, Version } from "./port.ts";

/**
 * `state.json`: the records at one position of the log, one record a line, and an HMAC under a key derived from the
 * master key. Contract 2.5: records must not be edited directly; an edited file refuses the start.
 */
export const stateName = "state.json";
/** Since 2 the version of a record is the position of the commit that wrote it, and the groups behind it are sealed. */
export const stateFormat = 2;

const sliceMs = 3;
const sliceBytes = 256 * 1024;

export interface WriteStateDeps {
  readonly vfs: Vfs;
  readonly path: string;
  readonly key: MasterKey;
  readonly head: Head;
  /** An earlier one only beside a log that an earlier version left. */
  readonly format?: number;
  /** Pulled in slices; must give the records as they were at `head`. */
  readonly records: Iterable<StoredRecord>;
}

/** Writes the checkpoint in slices of a few milliseconds of event loop. Returns its size. */
export async function writeState(deps: WriteStateDeps): Promise<number> {
  const hmac = createHmac("sha256", deps.key.subkey("state-hmac"));
  let size = 0;
  await replaceDurably(deps.vfs, deps.path, async (file) => {
    const put = async (text: string, covered = true): Promise<void> => {
      const bytes = Buffer.from(text);
      if (covered) hmac.update(bytes);
      await file.write(bytes, size);
      size += bytes.length;
    };
    const { position, link } = deps.head;
    let text = `{"format":${deps.format ?? stateFormat},"seq":${position},"headLink":"${link}","keyCheck":"${deps.key.check}","records":[`;
    let separator = "\n";
    let started = performance.now();
    let inSlice = 0;
    for (const record of deps.records) {
      text += `${separator}${JSON.stringify(lineOf(record))}`;
      separator = ",\n";
      inSlice += 1;
      if (text.length > sliceBytes || ((inSlice & 15) === 0 && performance.now() - started > sliceMs)) {
        await put(text);
        text = "";
        started = performance.now();
      }
    }
    await put(`${text}\n],\n`);
    await put(`"hmac":"${hmac.digest("hex")}"}\n`, false);
  });
  return size;
}

/** A line of the file; its kind and the form of its value are judged by whoever needs the record. */
export interface WrittenState extends WrittenRecord {
  readonly version: Version;
}

export interface ReadState {
  readonly format: number;
  readonly head: Head;
  readonly records: readonly WrittenState[];
  readonly size: number;
}

const start =
  /^\{"format":([0-9]{1,4}),"seq":([0-9]{1,16}),"headLink":"([0-9a-f]{64})","keyCheck":"([0-9a-f]{64})","records":\[$/;
const end = /^"hmac":"([0-9a-f]{64})"\}$/;

/** Reads the checkpoint, or undefined when there is none. Anything that is not exactly what we wrote is refused. */
export async function readState(deps: {
  vfs: Vfs;
  path: string;
  key: MasterKey;
  /** For recovery only: take the records although the HMAC does not fit. */
  acceptEdited?: boolean;
}): Promise<ReadState | undefined> {
  const file = await deps.vfs.open(deps.path, "read").catch((error: unknown) => {
    if (isAbsent(error)) return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  const damaged = (why: string, cause?: unknown) => fault("store.state_damaged", `${deps.path}: ${why}`, { cause });
  const hmac = createHmac("sha256", deps.key.subkey("state-hmac"));
  const records: WrittenState[] = [];
  let head: (Head & { readonly format: number }) | undefined;
  let found: string | undefined;
  let listEnded = false;
  const size = await file.size();
  try {
    for await (const lines of readLines(file, 0, size)) {
      for (const { line, complete } of lines) {
        if (!complete || found !== undefined) throw damaged("expected it to end with its HMAC line");
        if (listEnded) {
          found = end.exec(line.toString("latin1"))?.[1];
          if (found === undefined) throw damaged("the HMAC line is unreadable");
          continue;
        }
        hmac.update(line).update("\n");
        if (head === undefined) head = readStart(line.toString("latin1"), deps, damaged);
        else if (line.length === 2 && line.toString("latin1") === "],") listEnded = true;
        else records.push(readLine(line, head, damaged));
      }
    }
  } finally {
    await file.close();
  }
  if (head === undefined || found === undefined) throw damaged("it ends too early");
  if (!timingSafeEqual(hmac.digest(), Buffer.from(found, "hex")) && deps.acceptEdited !== true) {
    // The right value is never printed: whoever edited the file could paste it in.
    throw damaged("its HMAC is not the one of these bytes");
  }
  const { format, position, link } = head;
  return { format, head: { position, link }, records, size };
}

type Damaged = (why: string, cause?: unknown) => Error;

function readStart(
  text: string,
  deps: { key: MasterKey; path: string },
  damaged: Damaged,
): Head & { readonly format: number } {
  const match = start.exec(text);
  if (match === null) throw damaged("the first line is unreadable");
  const [, format, seq, link, keyCheck] = match as unknown as [string, string, string, string, string];
  if (Number(format) > stateFormat || Number(format) < 1) {
    throw fault("store.format_unknown", `${deps.path} has format ${format}, this version reads up to ${stateFormat}`);
  }
  if (keyCheck !== deps.key.check) {
    throw fault("store.key_wrong", `${deps.path} was written with another master key (or its first line was changed)`);
  }
  return { format: Number(format), position: Number(seq), link };
}

function lineOf({ key, version, value }: StoredRecord): object {
  const { form } = key.kind;
  return form === 1 ? { key: key.text, version, value } : { key: key.text, version, form, value };
}

function readLine(line: Buffer, { position }: Head, damaged: Damaged): WrittenState {
  const text = line.toString("utf8");
  try {
    const read = JSON.parse(text.endsWith(",") ? text.slice(0, -1) : text) as Partial<WrittenState>;
    const { version } = read;
    if (!isWritten(read) || !isWhole(version)) throw new Error("form");
    // The position of the commit that wrote it, or less: one beyond the end would be left out of the next checkpoint.
    if (version < 1 || version > position) throw new Error("version");
    return { ...read, version };
  } catch (error) {
    throw damaged(`a record line is unreadable: ${JSON.stringify(text.slice(0, 80))}`, error);
  }
}
