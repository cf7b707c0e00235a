import { type HostileCase, noise } from "./hostile-case.ts";
import { maskedFrame } from "./lean-socket.ts";

/** What breaks the WebSocket itself, before or after the hello: nothing of it reaches a feature. */
export const wireCases: readonly HostileCase[] = [
  {
    name: "a frame without a mask",
    weight: 2,
    ends: true,
    bytes: () => Buffer.concat([Buffer.from([0x81, 0x02]), Buffer.from("{}")]),
  },
  { name: "a reserved bit", weight: 2, ends: true, bytes: ({ random }) => withFirst(0x81 | (0x10 << random.below(3))) },
  {
    name: "an opcode that nobody has",
    weight: 2,
    ends: true,
    bytes: ({ random }) => withFirst(0x80 | random.pick([3, 4, 5, 6, 7, 11, 12, 13, 14, 15])),
  },
  { name: "a continuation of nothing", weight: 2, ends: true, bytes: () => withFirst(0x80) },
  { name: "half a ping", weight: 1, ends: true, bytes: () => withFirst(0x09) },
  {
    name: "a ping that is too long",
    weight: 1,
    ends: true,
    bytes: ({ random }) => maskedFrame(Buffer.alloc(126 + random.below(500)), 9),
  },
  {
    name: "a close code that nobody may send",
    weight: 1,
    ends: true,
    bytes: ({ random }) => {
      const code = random.pick([0, 999, 1004, 1005, 1006, 1015, 2999, 65_535]);
      return maskedFrame(Buffer.from([code >> 8, code & 0xff]), 8);
    },
  },
  {
    name: "a length of an exabyte",
    weight: 1,
    ends: true,
    bytes: ({ random }) => Buffer.from([0x81, 0xff, random.below(128), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
  },
  {
    name: "a text that is not UTF-8",
    weight: 2,
    ends: true,
    bytes: ({ random }) => maskedFrame(Buffer.concat([noise(random, 40), Buffer.from([0xc3, 0x28])]), 1),
  },
  {
    name: "a message in a thousand crumbs",
    weight: 1,
    ends: true,
    bytes: () => Buffer.concat([maskedPart(1), ...Array.from({ length: 999 }, () => maskedPart(0))]),
  },
  {
    name: "half a frame, and gone",
    weight: 2,
    ends: true,
    leaves: true,
    bytes: ({ random }) => Buffer.from([0x82, 0xfe, 0xff, random.below(256), 0, 0, 0]),
  },
];

/** An empty frame with another first byte. */
function withFirst(first: number): Uint8Array {
  return Buffer.from([first, 0x80, 0, 0, 0, 0]);
}

/** A piece of a message of one byte that is not the last. */
function maskedPart(opcode: number): Uint8Array {
  return Buffer.from([opcode, 0x81, 0, 0, 0, 0, 0x20]);
}
