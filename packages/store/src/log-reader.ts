import { createHash } from "node:crypto";
import { fault } from "@gatehouse/contract/faults";
import type { VfsFile } from "@gatehouse/files";
import { type Line, readLines } from "./lines.ts";
import {
  type DecodedGroup,
  decodeGroup,
  decodeHeader,
  decodeMark,
  encodeMark,
  hashChanges,
  highestMark,
  linkOf,
  logFormat,
  markBytes,
  markEnd,
  markStart,
} from "./log-format.ts";
import type { LogSeal } from "./log-seal.ts";
import type { Head } from "./port.ts";

export const logName = "state.json.audit-wal";

export interface ReadGroup extends DecodedGroup {
  readonly changesHash: string;
  /** Offset just behind the group's line. */
  readonly end: number;
}

export interface LogReading {
  readonly format: number;
  readonly base: Head;
  readonly head: Head;
  /** Offset just behind the last whole group or mark. */
  readonly end: number;
  /** True when a mark already vouches for the last group. */
  readonly marked: boolean;
  /** Bytes behind `end` that a power cut left: never acknowledged. */
  readonly cut?: { readonly bytes: number; readonly sha256: string };
  /** For recovery: the first thing that is damaged although it was durable once. Without `tolerate` this is thrown. */
  readonly damage?: Error;
}

export interface ReadLogDeps {
  readonly file: VfsFile;
  readonly seal: Pick<LogSeal, "fits">;
  /** Named in refusals. */
  readonly path: string;
  /** Only the first `size` bytes; the whole file when absent. */
  readonly size?: number;
  readonly onGroup?: (group: ReadGroup) => void;
  readonly tolerate?: boolean;
}

/**
 * Reads and verifies a log. An unfinished end is reported as `cut`; anything broken that was durable once is refused
 * with its position, what was expected and what was found.
 */
export async function readLog(deps: ReadLogDeps): Promise<LogReading> {
  const size = deps.size ?? (await deps.file.size());
  const reader = new Reader(deps);
  for await (const lines of readLines(deps.file, 0, size)) {
    for (const line of lines) {
      if (!reader.take(line)) return judgeEnd(deps, reader, size);
    }
  }
  return reader.begun === undefined ? judgeEnd(deps, reader, size) : reader.reading();
}

class Reader {
  begun: Head | undefined;
  wrong: { expected: string; found: string } | undefined;
  #head: Head = { position: 0, link: "" };
  #end = 0;
  #format = logFormat;
  #marked = true;
  #blank = false;
  readonly #deps: ReadLogDeps;

  constructor(deps: ReadLogDeps) {
    this.#deps = deps;
  }

  get next(): number {
    return this.#head.position + 1;
  }

  get head(): Head {
    return this.#head;
  }

  get marked(): boolean {
    return this.#marked;
  }

  get end(): number {
    return this.#end;
  }

  reading(): LogReading {
    return { format: this.#format, base: this.begun as Head, head: this.#head, end: this.#end, marked: this.#marked };
  }

  /** Takes one line; false when it cannot follow what came before. */
  take(line: Line): boolean {
    const expected = this.begun === undefined ? "a header" : this.#blank ? "a mark" : "a group";
    const fits = line.complete && this.#takeWhole(line);
    if (!fits) this.wrong ??= { expected, found: describe(line) };
    return fits;
  }

  #takeWhole({ line, at }: Line): boolean {
    const end = at + line.length + 1;
    if (this.begun === undefined) return this.#takeHeader(line, end);
    if (this.#blank) return this.#takeMark(line, end);
    if (line.length === 0) {
      this.#blank = true;
      return true;
    }
    return this.#takeGroup(line, end);
  }

  #takeHeader(line: Buffer, end: number): boolean {
    const header = decodeHeader(line);
    if (header === undefined) return false;
    if (header.format > logFormat) {
      throw fault(
        "store.format_unknown",
        `${this.#deps.path} has format ${header.format}, this version reads up to ${logFormat}`,
      );
    }
    this.#format = header.format;
    this.begun = { position: header.position, link: header.link };
    this.#head = this.begun;
    this.#end = end;
    return true;
  }

  #takeMark(line: Buffer, end: number): boolean {
    const mark = decodeMark(line);
    if (mark?.position !== this.#head.position || mark.link !== this.#head.link) {
      this.wrong = { expected: `a mark for ${this.#head.position}`, found: describe({ line, at: 0, complete: true }) };
      return false;
    }
    this.#blank = false;
    this.#marked = true;
    this.#end = end;
    return true;
  }

  #takeGroup(line: Buffer, end: number): boolean {
    const group = decodeGroup(line);
    if (group === undefined) return false;
    if (group.first !== this.next) {
      this.wrong = { expected: `position ${this.next}`, found: `position ${group.first}` };
      return false;
    }
    const changesHash = hashChanges(group.changes);
    const link = linkOf(this.#head.link, group.first, group.count, group.entries, changesHash);
    if (link !== group.link) {
      this.wrong = { expected: `link ${link}`, found: `link ${group.link}` };
      return false;
    }
    // The right seal is never printed: whoever forged the group could paste it in.
    const isSealed = group.seal === undefined ? this.#format === 1 : this.#deps.seal.fits(link, group.seal);
    if (!isSealed) {
      this.wrong = { expected: "a group sealed with this master key", found: "one that is not" };
      return false;
    }
    this.#deps.onGroup?.({ ...group, changesHash, end });
    this.#head = { position: group.first + group.count - 1, link };
    this.#marked = false;
    this.#end = end;
    return true;
  }
}

/** Something does not fit at `reader.end`. Was it durable once, or is it a write that power cut short? */
async function judgeEnd(deps: ReadLogDeps, reader: Reader, size: number): Promise<LogReading> {
  const from = reader.end;
  const digest = createHash("sha256");
  let marked = 0;
  const chunk = 4 * 1024 * 1024;
  for (let at = from; at < size; at += chunk) {
    // Chunks overlap by more than a mark, so that none is missed at a border.
    const bytes = await deps.file.read(at, Math.min(chunk + markBytes, size - at));
    digest.update(bytes.subarray(0, chunk));
    marked = Math.max(marked, highestMark(bytes));
  }
  const wrong = reader.wrong ?? { expected: "a header", found: "an empty file" };
  const damage = fault(
    "store.log_damaged",
    `${deps.path}: position ${reader.next}, byte ${from}: expected ${wrong.expected}, found ${wrong.found}`,
    { fields: { position: reader.next, offset: from, expected: wrong.expected, found: wrong.found } },
  );
  // The header is renamed into place with the file, so it is never the end of a write.
  const wasDurable =
    reader.begun === undefined || marked >= reader.next || (await endsInForeignMark(deps.file, reader, size));
  if (wasDurable && (deps.tolerate !== true || reader.begun === undefined)) throw damage;
  const cut = { bytes: size - from, sha256: digest.digest("hex") };
  return wasDurable ? { ...reader.reading(), cut, damage } : { ...reader.reading(), cut };
}

/**
 * Bytes that vanished can take the front of the last mark with them, and what it vouched for. No group ends as a mark does,
 * so a file that ends so ended in a mark. It is the mark of the last whole group, torn by a power cut, only when it has
 * that mark's length and its front is what was lost; any other says that something durable is missing.
 */
async function endsInForeignMark(file: VfsFile, { end, head, marked }: Reader, size: number): Promise<boolean> {
  const last = Buffer.from(await file.read(Math.max(end, size - markEnd.length), markEnd.length)).toString("latin1");
  if (last !== markEnd) return false;
  if (marked || size - end !== encodeMark(head).length) return true;
  const front = Buffer.from(await file.read(end, markStart.length)).toString("latin1");
  return front === markStart;
}

function describe({ line, complete }: Line): string {
  const text = JSON.stringify(line.toString("latin1", 0, 60));
  return complete ? text : `an unfinished line ${text}`;
}
