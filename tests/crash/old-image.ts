import { createHmac } from "node:crypto";
import type { JsonObject } from "@gatehouse/base";
import type { Head, Version } from "@gatehouse/store";
import {
  type DecodedGroup,
  decodeGroup,
  decodeMark,
  encodeGroup,
  encodeMark,
  genesis,
  splitEntries,
} from "../../packages/store/src/log-format.ts";
import { type MasterKey, masterKey } from "../../packages/store/src/master-key.ts";
import { type Image, prepareImage } from "./damaged-image.ts";
import { directory } from "./simulated-store.ts";

/** As it stands in a log of format 2. */
interface Written {
  readonly key: string;
  readonly was: number;
  readonly value: JsonObject | null;
}

interface OldRecord {
  readonly version: Version;
  /** Of the commit that wrote it. */
  readonly position: number;
  readonly value: JsonObject;
}

/** Where a log of 0.1.5 stands, and the records there by their keys. */
export interface OldMoment {
  readonly head: Head;
  readonly records: ReadonlyMap<string, OldRecord>;
}

/** One more group, or a mark. */
export interface OldLine extends OldMoment {
  readonly bytes: Uint8Array;
}

export const oldBeginning: OldMoment = { head: genesis, records: new Map() };

/** `count` records in a log as 0.1.5 left it: format 1, in which a change has the version of its record before plus one. */
export async function prepareOldImage(count: number): Promise<Image> {
  const image = await prepareImage(0, count);
  const path = `${directory}/state.json.audit-wal`;
  const lines = ageLog(image.files.get(path) as Uint8Array);
  const last = lines.at(-1)?.head.position;
  if (last !== count) throw new Error(`${last} of ${count} records were written as 0.1.5 did`);
  const log = encodeOldLog(genesis, lines);
  const texts = new Map([oldBeginning, ...lines].map((moment) => [moment.head.position, textOf(moment)]));
  const hex = Buffer.from(image.files.get(`${directory}/master.key`) as Uint8Array)
    .toString("latin1")
    .trim();
  const state = encodeOldState(masterKey(Buffer.from(hex, "hex")), oldBeginning);
  return { ...image, files: new Map(image.files).set(path, log).set(`${directory}/state.json`, state), texts };
}

/** The groups and marks of a log from its beginning on, as 0.1.5 would have written them. */
export function ageLog(log: Uint8Array): OldLine[] {
  const lines: OldLine[] = [];
  let { head, records } = oldBeginning;
  for (const text of Buffer.from(log).toString("utf8").split("\n")) {
    const line = Buffer.from(text);
    const group = decodeGroup(line);
    if (group !== undefined) {
      const table = new OldTable(records);
      const aged = encodeGroup(head, splitEntries(group.entries, group.count) ?? [], table.take(group));
      head = aged.head;
      records = table.records;
      lines.push({ head, records, bytes: aged.bytes });
    } else if (decodeMark(line) !== undefined) {
      lines.push({ head, records, bytes: encodeMark(head) });
    }
  }
  return lines;
}

export function encodeOldLog(base: Head, lines: readonly OldLine[]): Buffer {
  const header = `{"format":1,"base":${base.position},"baseLink":"${base.link}"}\n`;
  return Buffer.concat([Buffer.from(header), ...lines.map(({ bytes }) => bytes)]);
}

export function encodeOldState(key: MasterKey, { head, records }: OldMoment): Buffer {
  const lines = [...records].map(([name, record]) => `\n${JSON.stringify({ key: name, ...record })}`);
  const start = `{"format":1,"seq":${head.position},"headLink":"${head.link}","keyCheck":"${key.check}","records":[`;
  const text = `${start}${lines.join(",")}\n],\n`;
  const hmac = createHmac("sha256", key.subkey("state-hmac")).update(text).digest("hex");
  return Buffer.from(`${text}"hmac":"${hmac}"}\n`);
}

/** The records and their versions as 0.1.5 counted them: from 1 on, and from 1 again after a removal. */
class OldTable {
  readonly records: Map<string, OldRecord>;

  constructor(records: ReadonlyMap<string, OldRecord>) {
    this.records = new Map(records);
  }

  /** The changes of a group in their old form. */
  take({ first, changes }: DecodedGroup): string[] {
    const commits = JSON.parse(changes.toString("utf8")) as Written[][];
    return commits.map((commit, offset) =>
      JSON.stringify(commit.map((change) => this.#takeOne(change, first + offset))),
    );
  }

  #takeOne({ key, value }: Written, position: number): object {
    const newVersion = (this.records.get(key)?.version ?? 0) + 1;
    if (value === null) this.records.delete(key);
    else this.records.set(key, { version: newVersion, position, value });
    return { key, newVersion, value };
  }
}

/** What `textOf` says of a store that has read them. */
function textOf({ head, records }: OldMoment): string {
  const keys = [...records.keys()].sort();
  return JSON.stringify([head.link, keys.map((key) => [key, records.get(key)?.version, records.get(key)?.value])]);
}
