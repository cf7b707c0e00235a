import { expect, test } from "vitest";
import { encodeHeader, genesis } from "../log-format.ts";
import { buildLog, entryOf, headAt, positions, type Start, singles } from "./sample-logs.ts";

/** Bytes of the log become entries, or are refused whole. */
export function appendCases(start: Start): void {
  test("a new index holds nothing", async () => {
    const { index } = await start();
    expect(await index.archived()).toEqual(genesis);
    expect(await index.indexed()).toBe(0);
    expect(await index.search({ limit: 10 })).toEqual({ items: [] });
    expect(await index.groups(0, 10)).toEqual([]);
    await index.archive(genesis);
  });

  test("groups are indexed; header, marks and blank lines are passed over", async () => {
    const { index } = await start();
    const log = buildLog([[entryOf(1), entryOf(2)], [entryOf(3)]]);
    await index.append(Buffer.concat([encodeHeader(genesis), Buffer.from("\n\n"), log.bytes]));
    expect(await index.indexed()).toBe(3);
    expect((await index.search({ limit: 10, order: "oldest" })).items).toEqual([
      { ...entryOf(1), position: 1 },
      { ...entryOf(2), position: 2 },
      { ...entryOf(3), position: 3 },
    ]);
  });

  test("the caller keeps its buffer", async () => {
    const { index } = await start();
    const { bytes } = buildLog([[entryOf(1)]]);
    const pool = new Uint8Array(bytes.length + 20);
    pool.set(bytes, 10);
    await index.append(pool.subarray(10, 10 + bytes.length));
    pool.fill(0);
    expect(await positions(index, {})).toEqual([1]);
    expect(pool.length).toBe(bytes.length + 20);
  });

  test("positions that are known are ignored", async () => {
    const { index } = await start();
    const log = buildLog(singles(4));
    await index.append(buildLog(singles(2)).bytes);
    await index.append(log.bytes);
    await index.archive(headAt(log, 2));
    await index.append(log.bytes);
    expect(await positions(index, {})).toEqual([4, 3, 2, 1]);
  });

  test("known positions with another content are refused, in the tail and in the archive", async () => {
    const { index } = await start();
    const log = buildLog(singles(4));
    const other = buildLog(singles(4, 100));
    await index.append(log.bytes);
    await expect(index.append(other.bytes)).rejects.toMatchObject({ code: "store.files_of_different_moments" });
    await index.archive(headAt(log, 3));
    await expect(index.append(other.bytes)).rejects.toMatchObject({ code: "store.files_of_different_moments" });
    const wider = buildLog([[entryOf(1), entryOf(2)]]);
    await expect(index.append(wider.bytes)).rejects.toMatchObject({ code: "store.files_of_different_moments" });
  });

  test("a gap is refused, and nothing of those bytes is indexed", async () => {
    const { index } = await start();
    const one = buildLog(singles(1));
    const far = buildLog(singles(1), { position: 7, link: "ab".repeat(32) });
    await expect(index.append(Buffer.concat([one.bytes, far.bytes]))).rejects.toMatchObject({
      code: "store.log_damaged",
      fields: { position: 2 },
    });
    expect(await index.indexed()).toBe(0);
  });

  test("bytes that are no whole lines of a log are refused", async () => {
    const { index } = await start();
    const { bytes } = buildLog(singles(2));
    const cut = bytes.subarray(0, bytes.length - 1);
    await expect(index.append(cut)).rejects.toMatchObject({ code: "store.log_damaged" });
    await expect(index.append(Buffer.from("hello\n"))).rejects.toMatchObject({ code: "store.log_damaged" });
    expect(await index.indexed()).toBe(0);
  });

  test("a closed index refuses, and closing again is no error", async () => {
    const { index } = await start();
    await index.close();
    await index.close();
    await expect(index.indexed()).rejects.toMatchObject({ code: "store.closed" });
    await expect(index.search({ limit: 1 })).rejects.toMatchObject({ code: "store.closed" });
  });
}
