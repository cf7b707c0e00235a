import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeHostDirectory } from "../../test/host-directory.ts";
import { manualTimers } from "../../test/manual-timers.ts";
import { type AskDisk, askKernelOfDisk, diskAnswerMs, type DiskBlocks, openDiskReader } from "./read-disk.ts";

const mounts = `28 1 8:1 / / rw - ext4 /dev/sda rw
29 28 8:2 / /srv/closed/data rw - xfs /dev/sdb rw
30 29 8:2 /sub /srv/closed/data/again rw - xfs /dev/sdb rw
31 28 8:3 / /var rw - ext4 /dev/sdc rw
`;

function makeReader(answer: (place: string) => Promise<DiskBlocks>, mountinfo = mounts) {
  const { root } = makeHostDirectory();
  mkdirSync(join(root, "proc/self"), { recursive: true });
  writeFileSync(join(root, "proc/self/mountinfo"), mountinfo);
  const timers = manualTimers();
  const asked: string[] = [];
  const askDisk: AskDisk = (place) => {
    const inside = place.slice(root.length);
    asked.push(inside);
    return answer(inside);
  };
  return { timers, asked, readDisk: openDiskReader({ root, timers, askDisk }) };
}

const blocks = (used: number, more: Partial<DiskBlocks> = {}): DiskBlocks => ({
  blocks: 1_000,
  bfree: 1_000 - used,
  bavail: 950 - used,
  frsize: 4_096,
  ...more,
});

test("the fullest counts, as df has it: what only root may fill is neither used nor free", async () => {
  const { readDisk, timers } = makeReader(async (place) => blocks(place === "/var" ? 475 : 100));
  expect(await readDisk()).toEqual({ percent: 50, total: 4_096_000 });
  expect(timers.running()).toEqual([]);
});

test("a file system is asked at the next of its places when one is closed, and is left out when all are", async () => {
  const refuse = () => Promise.reject(new Error("EACCES: permission denied"));
  const second = makeReader((place) =>
    place === "/srv/closed/data" ? refuse() : Promise.resolve(blocks(place.length)),
  );
  expect(await second.readDisk()).toMatchObject({ percent: (100 * 22) / 950 });
  expect(second.asked).toEqual(["/", "/srv/closed/data", "/srv/closed/data/again", "/var"]);
  expect(await makeReader(refuse).readDisk()).toBeNull();
});

test("a disk without blocks, and one that says what cannot be, are left out", async () => {
  const answers: Record<string, DiskBlocks> = {
    "/": blocks(0, { blocks: 0, bfree: 0, bavail: 0 }),
    "/var": blocks(0, { bfree: 2_000 }),
    "/srv/closed/data": blocks(0, { blocks: Number.NaN }),
  };
  expect(await makeReader(async (place) => answers[place] ?? blocks(0)).readDisk()).toBeNull();
});

test("a disk that does not answer in time is not known, and nothing else is asked until it does", async () => {
  const stuck = Promise.withResolvers<DiskBlocks>();
  const { readDisk, timers, asked } = makeReader((place) =>
    place === "/" ? stuck.promise : Promise.resolve(blocks(1)),
  );
  const first = readDisk();
  expect(timers.end(diskAnswerMs)).toBe(1);
  expect(await first).toBeNull();
  expect(await readDisk()).toBeNull();
  await expect.poll(() => asked).toEqual(["/"]);
  stuck.resolve(blocks(95));
  await expect.poll(readDisk).toMatchObject({ percent: 10 });
});

test("a host that does not show its mounts has no disk", async () => {
  const { root } = makeHostDirectory();
  const readDisk = openDiskReader({ root, timers: manualTimers(), askDisk: askKernelOfDisk });
  expect(await readDisk()).toBeNull();
});
