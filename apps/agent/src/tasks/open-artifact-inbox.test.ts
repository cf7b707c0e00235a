import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeArtifactGround } from "../../test/artifact-ground.ts";
import { partOf } from "../../test/fake-judge.ts";
import { hastyVfs } from "../../test/hasty-vfs.ts";
import { artifactLimits } from "./artifact-limits.ts";
import { readArtifact } from "./kept-artifact.ts";

const [one, two] = [Uint8Array.of(1, 2, 3, 4), Uint8Array.of(5, 6)];
const [partOne, partTwo] = [partOf(one), partOf(two)];
const { standstillMs, keptMs } = artifactLimits;
const gib = 1024 ** 3;
const pieceOf = (bytes: Uint8Array, from = 0, to = bytes.byteLength) => {
  return { sha256: partOf(bytes).sha256, offset: from, bytes: bytes.subarray(from, to) };
};

async function bring({ artifacts }: ReturnType<typeof makeArtifactGround>, ...all: Uint8Array[]) {
  await artifacts.expect(all.map(partOf));
  for (const bytes of all) await artifacts.put(pieceOf(bytes));
}

test("an artifact comes in pieces into a file of its own, which is root's alone, and goes on where it was", async () => {
  const { artifacts, paths, left } = makeArtifactGround();
  expect(await artifacts.expect([partOne, partTwo])).toEqual([partOne, partTwo]);
  await artifacts.put(pieceOf(one, 0, 3));
  expect(await artifacts.expect([partOne, partTwo])).toEqual([{ ...partOne, from: 3 }, partTwo]);
  await artifacts.put(pieceOf(one, 3));
  await artifacts.put(pieceOf(two));
  expect(await artifacts.expect([partOne, partTwo])).toEqual([]);
  expect(left().toSorted()).toEqual([partOne.sha256, partTwo.sha256].toSorted());
  expect(statSync(paths.inbox).mode & 0o777).toBe(0o700);
  expect(statSync(join(paths.inbox, partOne.sha256)).mode & 0o777).toBe(0o600);
  expect(new Uint8Array(readFileSync(join(paths.inbox, partOne.sha256)))).toEqual(one);
});

test("a host that is sent no artifact has no directory for them", async () => {
  const { artifacts, left } = makeArtifactGround();
  await artifacts.sweep();
  expect(await artifacts.expect([])).toEqual([]);
  expect(await artifacts.lend([])).toEqual([]);
  await artifacts.give();
  expect(left).toThrow(/ENOENT/);
});

test("a directory that others could enter is closed to them", async () => {
  const { artifacts, paths } = makeArtifactGround();
  mkdirSync(paths.inbox, { mode: 0o755 });
  await artifacts.expect([partOne]);
  expect(statSync(paths.inbox).mode & 0o777).toBe(0o700);
});

test.each([
  ["a gap", pieceOf(one, 3)],
  ["an overlap", pieceOf(one, 1)],
  ["the same piece again", pieceOf(one, 0, 2)],
  ["a byte beyond the size", { ...pieceOf(one, 2), bytes: new Uint8Array(3) }],
])("%s is refused, and what has come stays", async (_, wrong) => {
  const { artifacts } = makeArtifactGround();
  await artifacts.expect([partOne]);
  await artifacts.put(pieceOf(one, 0, 2));
  await expect(artifacts.put(wrong)).rejects.toThrow(/^blob\.size: expected bytes from 2 up to 4/);
  await artifacts.put(pieceOf(one, 2));
  await expect(artifacts.put({ ...pieceOf(one, 4), bytes: Uint8Array.of(1) })).rejects.toThrow(/^blob\.size/);
  expect(await artifacts.expect([partOne])).toEqual([]);
});

test("other bytes than those that were named are refused, and their file goes", async () => {
  const ground = makeArtifactGround();
  await ground.artifacts.expect([partOne]);
  await ground.artifacts.put({ ...pieceOf(one), bytes: Uint8Array.of(1, 2) });
  const wrong = { ...pieceOf(one, 2), bytes: Uint8Array.of(3, 5) };
  await expect(ground.artifacts.put(wrong)).rejects.toThrow(/^blob\.digest: expected /);
  expect(ground.left()).toEqual([]);
  expect(await ground.artifacts.expect([partOne])).toEqual([partOne]);
  await ground.artifacts.put(pieceOf(one));
  expect(await ground.artifacts.expect([partOne])).toEqual([]);
});

test("pieces that come at once are taken in their order, and one of them is not taken twice", async () => {
  const { artifacts } = makeArtifactGround();
  await artifacts.expect([partOne]);
  const pieces = [pieceOf(one, 0, 2), pieceOf(one, 0, 2), pieceOf(one, 2)];
  const ends = await Promise.allSettled(pieces.map((piece) => artifacts.put(piece)));
  expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await artifacts.expect([partOne])).toEqual([]);
});

test("what no change names is refused: before one is submitted, of the one before, and while one is judged", async () => {
  const { artifacts, left } = makeArtifactGround();
  expect(artifacts.wants(partOne.sha256)).toBe(false);
  await expect(artifacts.put(pieceOf(one))).rejects.toThrow(/^blob\.not_wanted/);
  await artifacts.expect([partOne]);
  expect(artifacts.wants(partOne.sha256)).toBe(true);
  await artifacts.put(pieceOf(one));
  await artifacts.expect([partTwo]);
  expect(left(), "a change that does not name it takes it away").toEqual([]);
  await expect(artifacts.put(pieceOf(one))).rejects.toThrow(/^blob\.not_wanted/);
  await artifacts.put(pieceOf(two));
  await artifacts.lend([partTwo]);
  await expect(artifacts.put(pieceOf(two))).rejects.toThrow(/^blob\.not_wanted/);
});

test("what is whole waits for a change that names it again, and what is not whole goes", async () => {
  const ground = makeArtifactGround();
  const { artifacts, left } = ground;
  await artifacts.expect([partOne, partTwo]);
  await artifacts.put(pieceOf(one));
  await artifacts.put(pieceOf(two, 0, 1));
  await artifacts.rest();
  expect(left()).toEqual([partOne.sha256]);
  await expect(artifacts.put(pieceOf(two, 1))).rejects.toThrow(/^blob\.not_wanted/);
  expect(await artifacts.expect([partOne, partTwo])).toEqual([partTwo]);
  expect(await artifacts.expect([{ ...partOne, size: 5 }]), "of another size it is another").toHaveLength(1);
  expect(left()).toEqual([]);
});

test("what a change has got is read on from the file that was hashed, whatever its name leads to since", async () => {
  const ground = makeArtifactGround();
  await bring(ground, one, two);
  const lent = await ground.artifacts.lend([partOne, partTwo]);
  const place = join(ground.paths.inbox, partOne.sha256);
  renameSync(place, `${place}.away`);
  writeFileSync(place, Uint8Array.of(9, 9, 9, 9));
  await ground.artifacts.give();
  const [first] = lent;
  const read: number[] = [];
  await readArtifact(first as (typeof lent)[0], async (bytes) => void read.push(...bytes));
  expect(read).toEqual([...one]);
  expect(ground.artifacts.isHolding()).toBe(false);
  expect(ground.timers.running(), "nothing of it is waited for").toEqual([]);
  expect(ground.left(), "the names are gone").toEqual([`${partOne.sha256}.away`]);
  for (const each of lent) await each.close();
});

test("a file that was written to after it was hashed is found when it is read", async () => {
  const ground = makeArtifactGround();
  await bring(ground, one);
  const [lent] = await ground.artifacts.lend([partOne]);
  writeFileSync(join(ground.paths.inbox, partOne.sha256), Uint8Array.of(1, 2, 3, 5), { flag: "r+" });
  const read = readArtifact(lent as NonNullable<typeof lent>, async () => undefined);
  await expect(read).rejects.toThrow(/^artifact\.digest: expected /);
  writeFileSync(join(ground.paths.inbox, partOne.sha256), Uint8Array.of(1));
  const short = readArtifact(lent as NonNullable<typeof lent>, async () => undefined);
  await expect(short).rejects.toThrow(/^artifact\.digest: expected 4 bytes, found 1/);
});

test("one that is not whole is lent to nobody", async () => {
  const { artifacts } = makeArtifactGround();
  await artifacts.expect([partOne]);
  await artifacts.put(pieceOf(one, 0, 3));
  await expect(artifacts.lend([partOne])).rejects.toThrow(/^artifact\.missing/);
  await expect(artifacts.lend([partTwo])).rejects.toThrow(/^artifact\.missing/);
});

test("what stands in the place of a file is neither followed nor written to", async () => {
  const { artifacts, paths } = makeArtifactGround();
  await artifacts.expect([partOne]);
  const other = join(paths.helperState, "host.key");
  writeFileSync(other, "secret");
  symlinkSync(other, join(paths.inbox, partOne.sha256));
  await artifacts.put(pieceOf(one));
  expect(readFileSync(other, "utf8")).toBe("secret");
  expect(statSync(join(paths.inbox, partOne.sha256)).size).toBe(4);
});

test("nothing that an earlier process has left is believed: it is gone when the helper starts", async () => {
  const ground = makeArtifactGround();
  await bring(ground, one);
  writeFileSync(join(ground.paths.inbox, partTwo.sha256), two);
  const next = ground.openAnew();
  expect(await next.expect([partTwo]), "not even before the sweep").toEqual([partTwo]);
  await next.sweep();
  expect(readdirSync(ground.paths.inbox)).toEqual([]);
  expect(ground.lines).toEqual([]);
  await next.close();
});

test("what cannot be swept away is told, and keeps nothing else from going", async () => {
  const { artifacts, paths, lines, left } = makeArtifactGround();
  mkdirSync(join(paths.inbox, "a"), { recursive: true, mode: 0o700 });
  writeFileSync(join(paths.inbox, "b"), "left");
  await artifacts.sweep();
  expect(left()).toEqual(["a"]);
  expect(lines).toEqual([expect.stringContaining("is not all gone")]);
});

test("more than a host holds is refused before a byte is taken; the limit itself is taken", async () => {
  const half = 512 * 1024 * 1024;
  const partAt = (place: number, size: number) => ({ sha256: place.toString(16).padStart(64, "0"), size });
  const { artifacts } = makeArtifactGround();
  expect(await artifacts.expect([partAt(1, half), partAt(2, half)])).toHaveLength(2);
  await expect(artifacts.expect([partAt(1, half), partAt(2, half), partAt(3, 1)])).rejects.toThrow(
    /^blob\.quota: expected at most 1073741824 bytes of artifacts, found 1073741825/,
  );
  await expect(artifacts.put({ ...partAt(1, 1), offset: 0, bytes: one }), "nothing of it").rejects.toThrow(
    /^blob\.not_wanted/,
  );
});

test("a tenth of the disk stays free: before the first byte, and while others fill it", async () => {
  const { artifacts, disk, left } = makeArtifactGround();
  Object.assign(disk, { total: 100 * gib, free: 10 * gib + 5 });
  await expect(artifacts.expect([partOne, partTwo])).rejects.toThrow(
    /^blob\.quota: expected 10737418246 bytes free on the disk, found 10737418245$/,
  );
  disk.free += 1;
  await artifacts.expect([partOne, partTwo]);
  await artifacts.put(pieceOf(one, 0, 3));
  disk.free = 10 * gib;
  await expect(artifacts.put(pieceOf(one, 3))).rejects.toThrow(/^blob\.quota/);
  expect(left()).toEqual([]);
});

test("what is here already needs no room again", async () => {
  const ground = makeArtifactGround();
  await ground.artifacts.expect([partOne]);
  await ground.artifacts.put(pieceOf(one, 0, 3));
  ground.disk.free = 10 * gib + 1;
  expect(await ground.artifacts.expect([partOne])).toEqual([{ ...partOne, from: 3 }]);
});

test("a disk that is full in the middle of a piece refuses it by name, and gets its bytes back", async () => {
  const full = Object.assign(new Error("no space"), { code: "ENOSPC" });
  const ground = makeArtifactGround({
    open: async (path, mode) => Object.assign(await hastyVfs.open(path, mode), { write: () => Promise.reject(full) }),
  });
  await ground.artifacts.expect([partOne]);
  await expect(ground.artifacts.put(pieceOf(one))).rejects.toThrow(/^blob\.quota: .* found a full disk/);
  expect(ground.left()).toEqual([]);
  expect(ground.artifacts.isHolding()).toBe(false);
});

test("a transfer that stands still frees the disk, counted from its last piece; one that moves is not cut", async () => {
  const { artifacts, timers, left } = makeArtifactGround();
  await artifacts.expect([partOne]);
  for (let at = 0; at < 3; at += 1) {
    expect(
      timers.running().filter((ms) => ms === standstillMs),
      "each piece begins it anew",
    ).toHaveLength(1);
    await artifacts.put(pieceOf(one, at, at + 1));
  }
  expect(artifacts.isHolding()).toBe(true);
  expect(timers.end(standstillMs)).toBe(1);
  await expect(artifacts.put(pieceOf(one, 3))).rejects.toThrow(/^blob\.not_wanted/);
  expect(left()).toEqual([]);
  expect(artifacts.isHolding()).toBe(false);
  expect(timers.running()).toEqual([]);
});

test("after a day a file goes, however often its change was sent again; not while it is judged", async () => {
  const ground = makeArtifactGround();
  await bring(ground, one);
  await ground.artifacts.lend([partOne]);
  expect(ground.timers.end(keptMs)).toBe(1);
  expect(await ground.artifacts.lend([partOne]), "behind whatever the timer did").toHaveLength(1);
  expect(ground.left()).toEqual([partOne.sha256]);
  await ground.artifacts.rest();
  expect(ground.left()).toEqual([]);
  await bring(ground, one);
  ground.timers.end(keptMs);
  expect(await ground.artifacts.expect([partOne])).toEqual([partOne]);
  expect(ground.left()).toEqual([]);
});

test("nothing is left when the helper ends", async () => {
  const ground = makeArtifactGround();
  await bring(ground, one);
  await ground.artifacts.expect([partOne, partTwo]);
  await ground.artifacts.put(pieceOf(two, 0, 1));
  await ground.artifacts.close();
  expect(ground.left()).toEqual([]);
  expect(ground.timers.running()).toEqual([]);
});
