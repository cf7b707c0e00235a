import type { VfsFile } from "@gatehouse/files";
import { applyChange, type Contents, contentsOf } from "./contents.ts";
import {
  decodeFrame,
  findChange,
  findHeader,
  frameHeadBytes,
  headerGeneration,
  mostPayloadBytes,
  nextMagic,
  payloadLength,
} from "./outbox-format.ts";

export type OutboxReading =
  /** `cut` counts the bytes of a write that never ended. */
  | { readonly found: "whole"; readonly contents: Contents; readonly generation: number; readonly cut: number }
  /** Something that was durable once is not as it was; `last` is the highest number that could be read. */
  | { readonly found: "damaged"; readonly why: string; readonly last: number; readonly generation: number };

/** Reads a file from its first byte to its last. Only the last append can be unfinished: each is durable before the next begins. */
export async function readOutbox(file: VfsFile): Promise<OutboxReading> {
  const size = await file.size();
  const bytesAt = windowOver(file, size);
  const first = await frameAt(bytesAt, headerGeneration, 0);
  const header = findHeader(first?.payload);
  // The file is renamed into place with its header, so that one is never unfinished.
  if (first === undefined || header === undefined) return damaged("it does not begin as an outbox", 0, 0);
  const { generation } = header;
  let contents = contentsOf(header);
  let at = first.bytes;
  for (;;) {
    const frame = await frameAt(bytesAt, generation, at);
    if (frame === undefined) break;
    const change = findChange(frame.payload);
    const next = change && applyChange(contents, change, { at, bytes: frame.bytes });
    if (next === undefined)
      return damaged(`byte ${at} does not follow what stands before it`, contents.last, generation);
    contents = next;
    at += frame.bytes;
  }
  const cut = size - at;
  if (cut > frameHeadBytes + mostPayloadBytes || (await hasFrame(bytesAt, generation, { from: at + 1, size }))) {
    return damaged(`byte ${at} is not what was written there`, contents.last, generation);
  }
  return { found: "whole", contents, generation, cut };
}

type BytesAt = (at: number, length: number) => Promise<Uint8Array>;

async function frameAt(bytesAt: BytesAt, generation: number, at: number) {
  const length = payloadLength(await bytesAt(at, frameHeadBytes));
  if (length === undefined) return undefined;
  const bytes = frameHeadBytes + length;
  const payload = decodeFrame(generation, await bytesAt(at, bytes));
  return payload === undefined ? undefined : { payload, bytes };
}

/** Whether a sound frame stands behind one that is not: then that one was durable. */
async function hasFrame(
  bytesAt: BytesAt,
  generation: number,
  { from, size }: { from: number; size: number },
): Promise<boolean> {
  const rest = from >= size ? new Uint8Array() : await bytesAt(from, size - from);
  for (let found = nextMagic(rest, 0); found !== -1; found = nextMagic(rest, found + 1)) {
    if ((await frameAt(bytesAt, generation, from + found)) !== undefined) return true;
  }
  return false;
}

const windowBytes = 1024 * 1024;

/** Reads a stretch at a time: a file of small messages is not read in small pieces. */
function windowOver(file: VfsFile, size: number): BytesAt {
  let [start, held] = [0, new Uint8Array()];
  return async (at, length) => {
    const end = Math.min(at + length, size);
    if (at < start || end > start + held.length) {
      start = at;
      held = new Uint8Array(await file.read(at, Math.max(length, windowBytes)));
    }
    return held.subarray(at - start, Math.max(at, end) - start);
  };
}

function damaged(why: string, last: number, generation: number): OutboxReading {
  return { found: "damaged", why, last, generation };
}
