import { faultyVfs } from "@gatehouse/files/faulty";
import { expect, test } from "vitest";
import { openLogSeal } from "./log-seal.ts";
import { masterKey } from "./master-key.ts";
import { encodeGroup, encodeHeader, encodeMark, genesis } from "./log-format.ts";
import { readLog } from "./log-reader.ts";

const seal = openLogSeal(masterKey(Buffer.alloc(32, 1)));
const first = encodeGroup(genesis, ['{"n":1}'], ["[]"], seal);
const last = encodeGroup(first.head, ['{"n":2}', '{"n":3}'], ["[]", "[]"], seal);
const front = Buffer.concat([encodeHeader(genesis), first.bytes, encodeMark(first.head)]);
const mark = encodeMark(last.head);
const whole = Buffer.concat([front, last.bytes, mark]);

async function read(bytes: Uint8Array): Promise<number | string> {
  const file = await faultyVfs({ files: new Map([["/log", bytes]]) }).open("/log", "read");
  return readLog({ file, path: "/log", seal }).then(
    (reading) => reading.head.position,
    (error: unknown) => (error as { code: string }).code,
  );
}

test("bytes that vanish up to the inside of the last mark are damage, and no power cut", async () => {
  const markAt = front.length + last.bytes.length;
  for (let from = encodeHeader(genesis).length + 1; from < markAt; from += 3) {
    for (let to = Math.max(from, markAt) + 1; to <= whole.length - 3; to += 5) {
      const bytes = Buffer.concat([whole.subarray(0, from), whole.subarray(to)]);
      expect(await read(bytes), `${from} to ${to}`).toBe("store.log_damaged");
    }
  }
});

test("a last group that power cut short anywhere leaves what was durable before it", async () => {
  for (let size = front.length; size < front.length + last.bytes.length; size += 1) {
    expect(await read(whole.subarray(0, size)), `${size}`).toBe(1);
    const zeros = Buffer.concat([whole.subarray(0, size), Buffer.alloc(front.length + last.bytes.length - size)]);
    expect(await read(zeros), `zeros from ${size}`).toBe(1);
  }
});

test("a mark of which power kept only a part takes nothing away from the group before it", async () => {
  for (let kept = 0; kept < mark.length; kept += 1) {
    const tornFront = Buffer.concat([front, last.bytes, Buffer.alloc(kept), mark.subarray(kept)]);
    expect(await read(tornFront), `zeros up to ${kept}`).toBe(3);
    expect(await read(Buffer.concat([front, last.bytes, mark.subarray(0, kept)])), `first ${kept}`).toBe(3);
  }
});

test("a mark whose front power replaced by anything at all takes nothing away either", async () => {
  for (let lost = 1; lost < mark.length - 3; lost += 1) {
    for (const filler of ["\0", "x", '"', "é"]) {
      const bytes = Buffer.concat([front, last.bytes, Buffer.alloc(lost, filler, "latin1"), mark.subarray(lost)]);
      expect(await read(bytes), `${lost} of ${filler}`).toBe(3);
    }
  }
});
