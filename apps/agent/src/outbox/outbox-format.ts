import { createHash } from "node:crypto";
import { channelLimits, outKinds } from "@gatehouse/channel";
import * as z from "zod";

export type OutKind = (typeof outKinds)[number];

/** One message for the server. The body is the text of its JSON. */
export interface OutRecord {
  readonly seq: number;
  readonly kind: OutKind;
  readonly body: string;
}

/** A body that is longer would not fit into a frame with what stands around it. */
export const mostBodyBytes = channelLimits.frameBytes - 128;
/** One append: a message, and the word about a gap before it. Both may grow where JSON escapes them. */
export const mostPayloadBytes = 4 * channelLimits.frameBytes;

const count = z.int().nonnegative();
const record = z.strictObject({ seq: count.min(1), kind: z.enum(outKinds), body: z.string() });

/** The first payload of a file: what was true when it was written anew. */
const header = z.strictObject({
  format: z.literal(1),
  generation: count,
  acked: count,
  last: count,
  dropped: count,
  mark: z.string().max(256).nullable(),
});
export type Header = z.output<typeof header>;

/** Every later payload: one change, whole or not at all. */
const change = z.strictObject({
  records: z.array(record).max(2).exactOptional(),
  acked: count.exactOptional(),
  mark: z.string().max(256).exactOptional(),
});
export type WrittenChange = z.output<typeof change>;

/** Begins a frame. No text in UTF-8 holds this byte, so that no message can look like a frame. */
const magic = Buffer.from([0xff, 0x6f, 0x62, 0x31]);
const digestBytes = 8;
export const frameHeadBytes = magic.length + 4 + digestBytes;

/** The generation of the file is part of the digest: what an earlier file has left on the disk is no frame of this one. The header says it, and has none. */
export const headerGeneration = 0;

export function encodeFrame(generation: number, payload: Header | WrittenChange): Buffer {
  const bytes = Buffer.from(JSON.stringify(payload));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([magic, length, digestOf(generation, bytes), bytes]);
}

/** How long the payload is, by the head of a frame; undefined when it is none. */
export function payloadLength(head: Uint8Array): number | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  if (bytes.length < frameHeadBytes || !bytes.subarray(0, magic.length).equals(magic)) return undefined;
  const length = bytes.readUInt32BE(magic.length);
  return length > mostPayloadBytes ? undefined : length;
}

/** The payload of a whole frame; undefined when it is not the one that was written there. */
export function decodeFrame(generation: number, frame: Uint8Array): unknown {
  const bytes = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength);
  const payload = bytes.subarray(frameHeadBytes);
  if (payloadLength(bytes) !== payload.length) return undefined;
  if (!bytes.subarray(magic.length + 4, frameHeadBytes).equals(digestOf(generation, payload))) return undefined;
  return JSON.parse(payload.toString("utf8")) as unknown;
}

export function findHeader(value: unknown): Header | undefined {
  return header.safeParse(value).data;
}

export function findChange(value: unknown): WrittenChange | undefined {
  return change.safeParse(value).data;
}

/** Where the next frame could begin, from `from` on. */
export function nextMagic(bytes: Uint8Array, from: number): number {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(magic, from);
}

function digestOf(generation: number, payload: Uint8Array): Buffer {
  return createHash("sha256").update(`${generation} `).update(payload).digest().subarray(0, digestBytes);
}
