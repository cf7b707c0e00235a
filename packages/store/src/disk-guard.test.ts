import { isFault } from "@gatehouse/contract/faults";
import { faultyVfs } from "@gatehouse/files/faulty";
import { expect, test } from "vitest";
import { DiskGuard } from "./disk-guard.ts";

const mebibyte = 1024 * 1024;
const total = 10 * 1024 * mebibyte;

/** The guard of a disk that has so much free, once it has looked. */
async function guardAt(free: number) {
  const vfs = { ...faultyVfs({ directories: ["/data"] }), space: () => Promise.resolve({ free, total }) };
  const guard = new DiskGuard(vfs, "/data");
  guard.stop();
  await guard.look();
  const isTaken = (bytes?: number): boolean => {
    try {
      guard.check(bytes);
      return true;
    } catch (error) {
      if (!isFault(error, "store.disk_full")) throw error;
      return false;
    }
  };
  return [isTaken(), isTaken(mebibyte), isTaken(mebibyte + 1)];
}

test("a disk that is low takes commits and small bytes and no large ones; one that is full takes nothing", async () => {
  expect(await guardAt(total)).toEqual([true, true, true]);
  expect(await guardAt(600 * mebibyte)).toEqual([true, true, true]);
  expect(await guardAt(511 * mebibyte)).toEqual([true, true, false]);
  expect(await guardAt(16 * mebibyte)).toEqual([true, true, false]);
  expect(await guardAt(16 * mebibyte - 1)).toEqual([false, false, false]);
});
