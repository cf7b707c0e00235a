import { expect, test } from "vitest";
import { type KeptHead, type KeptHeads, mostKeptHeads } from "./kept-heads.ts";

export function sampleHead(n: number, more: Partial<KeptHead> = {}): KeptHead {
  const hex = (value: number) => value.toString(16).padStart(64, "0");
  return { n, prev: hex(n - 1), position: n * 10, link: hex(n), at: 1_800_000_000_000 + n * 60_000, ...more };
}

/** What every adapter that keeps heads does. */
export function headCases(
  name: string,
  open: () => Promise<{ heads: KeptHeads; reopen: () => Promise<KeptHeads> }>,
): void {
  test(`${name}: heads come back in their order, also after a restart`, async () => {
    const { heads, reopen } = await open();
    expect(await heads.newest()).toBeUndefined();
    expect(await heads.list(1, 10)).toEqual([]);
    for (const n of [1, 2, 3]) await heads.keep(sampleHead(n));
    const again = await reopen();
    expect(await again.newest()).toEqual(sampleHead(3));
    expect(await again.list(2, 10)).toEqual([sampleHead(2), sampleHead(3)]);
    expect(await again.list(1, 2)).toEqual([sampleHead(1), sampleHead(2)]);
    expect(await again.list(4, 10)).toEqual([]);
  });

  test(`${name}: no number is given to two heads, and none is left out`, async () => {
    const { heads } = await open();
    await expect(heads.keep(sampleHead(2))).rejects.toThrow(/expected head 1/);
    await heads.keep(sampleHead(1));
    await expect(heads.keep(sampleHead(1, { position: 11 }))).rejects.toThrow(/expected head 2/);
    await expect(heads.keep(sampleHead(3))).rejects.toThrow(/expected head 2/);
    expect(await heads.list(1, 10)).toEqual([sampleHead(1)]);
  });

  test(`${name}: so many are kept as 31 days have minutes, and one more`, async () => {
    const { heads } = await open();
    for (let n = 1; n <= mostKeptHeads + 2; n += 1) await heads.keep(sampleHead(n));
    expect(await heads.list(2, 1)).toEqual([]);
    expect((await heads.list(3, 1))[0]?.n).toBe(3);
    expect((await heads.newest())?.n).toBe(mostKeptHeads + 2);
  });
}
