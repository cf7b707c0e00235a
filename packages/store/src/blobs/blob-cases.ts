import { createHash } from "node:crypto";
import { manualClock } from "@gatehouse/base";
import { expect, test } from "vitest";
import { refusal } from "../store-cases.ts";
import { type Blob, blobLimits, type BlobOwner, type Blobs } from "./blobs.ts";
import type { BlobsDeps } from "./shared.ts";

export interface BlobsUnderTest {
  readonly blobs: Blobs;
  readonly done: () => Promise<void>;
}

/** What every adapter of blobs promises. One suite, run by each of them. */
export function blobCases(open: (deps: BlobsDeps) => Promise<BlobsUnderTest>): void {
  const withBlobs = (
    name: string,
    work: (blobs: Blobs, clock: ReturnType<typeof manualClock>) => Promise<void>,
    more: Pick<BlobsDeps, "mostBytes"> = {},
  ): void => {
    test(name, async () => {
      const clock = manualClock();
      const { blobs, done } = await open({ clock, ...more });
      try {
        await work(blobs, clock);
      } finally {
        await done();
      }
    });
  };
  const minute = 60_000;
  const never = () => false;

  withBlobs("bytes are kept under their digest and read back, whole and in parts", async (blobs) => {
    const digest = await blobs.put([Buffer.from("hello "), Buffer.alloc(0), Buffer.from("blob")]);
    expect(digest).toBe(digestOf("hello blob"));
    const blob = await blobs.open(digest);
    expect(blob.size).toBe(10);
    expect([await textAt(blob, 0, 100), await textAt(blob, 6, 2), await textAt(blob, 9, 1)]).toEqual([
      "hello blob",
      "bl",
      "b",
    ]);
    await blob.close();
  });

  withBlobs("outside of a blob there are no bytes, and one read has a limit", async (blobs) => {
    const blob = await blobs.open(await blobs.put([Buffer.alloc(blobLimits.readBytes + 5, "x")]));
    for (const [at, length] of [
      [blob.size, 1],
      [blob.size + 1, 1],
      [-1, 5],
      [0, 0],
      [0, -1],
      [0, Number.NaN],
    ] as const) {
      expect((await blob.read(at, length)).length, `${at}, ${length}`).toBe(0);
    }
    expect((await blob.read(0, Number.MAX_SAFE_INTEGER)).length).toBe(blobLimits.readBytes);
    expect((await blob.read(blobLimits.readBytes, Number.MAX_SAFE_INTEGER)).length).toBe(5);
    await blob.close();
  });

  withBlobs("a blob can be empty, and the same bytes twice are one blob", async (blobs) => {
    const empty = await blobs.open(await blobs.put([]));
    expect([empty.size, (await empty.read(0, 10)).length]).toEqual([0, 0]);
    await empty.close();
    const both = await Promise.all([blobs.put([Buffer.from("twice")]), blobs.put(slowly("twi", "ce"))]);
    expect(new Set(both)).toEqual(new Set([digestOf("twice")]));
    expect(await blobs.collect((digest) => digest === digestOf(""), 0)).toEqual([digestOf("twice")]);
  });

  withBlobs("what was kept and what was read cannot be changed from outside", async (blobs) => {
    const mine = Buffer.from("before");
    const digest = await blobs.put([mine]);
    mine.fill("x");
    const blob = await blobs.open(digest);
    (await blob.read(0, 6)).fill(0);
    expect(await textAt(blob, 0, 6)).toBe("before");
    await blob.close();
  });

  withBlobs("a name that is no digest, and a blob that is not there, are refused", async (blobs) => {
    const upper = (await blobs.put([Buffer.from("x")])).toUpperCase();
    for (const name of ["../../state.json", "", "incoming-1", upper, "0".repeat(63), "0".repeat(64), "0".repeat(65)]) {
      expect(await refusal(blobs.open(name)), name).toBe("blob.unknown");
    }
  });

  withBlobs(
    "what is too large is refused, however it is cut, and nothing of it is kept",
    async (blobs) => {
      expect(await refusal(blobs.put([Buffer.alloc(11)]))).toBe("blob.too_large");
      expect(await refusal(blobs.put([Buffer.alloc(10), Buffer.alloc(1)]))).toBe("blob.too_large");
      expect(await blobs.collect(never, 0)).toEqual([]);
      await blobs.put([Buffer.alloc(10)]);
    },
    { mostBytes: 10 },
  );

  withBlobs("bytes that stop coming are told to who puts them, and nothing of them is kept", async (blobs) => {
    async function* broken() {
      yield Buffer.from("half ");
      await Promise.resolve();
      throw new Error("the sender went away");
    }
    await expect(blobs.put(broken())).rejects.toThrow("the sender went away");
    expect(await blobs.collect(never, 0)).toEqual([]);
  });

  withBlobs(
    "a closed blob gives nothing more; closing twice is harmless and waits for what is being read",
    async (blobs) => {
      const blob = await blobs.open(await blobs.put([Buffer.from("closing")]));
      const reading = textAt(blob, 0, 7);
      await Promise.all([blob.close(), blob.close()]);
      expect(await reading).toBe("closing");
      expect(await refusal(blob.read(0, 1))).toBe("store.closed");
    },
  );

  withBlobs("what no record names is collected when it is old enough, and not before", async (blobs, clock) => {
    const [kept, dropped] = [await blobs.put([Buffer.from("kept")]), await blobs.put([Buffer.from("dropped")])];
    const isNamed = (digest: string) => digest === kept;
    expect(await blobs.collect(isNamed, minute)).toEqual([]);
    clock.advance(minute - 1);
    expect(await blobs.collect(isNamed, minute)).toEqual([]);
    clock.advance(1);
    expect(await blobs.collect(isNamed, minute)).toEqual([dropped]);
    expect(await refusal(blobs.open(dropped))).toBe("blob.unknown");
    await (await blobs.open(kept)).close();
  });

  withBlobs("a blob is young again when it is brought again, and when its last name goes", async (blobs, clock) => {
    const digests = [await blobs.put([Buffer.from("a")]), await blobs.put([Buffer.from("b")])];
    clock.advance(minute);
    await blobs.put([Buffer.from("a")]);
    expect(await blobs.collect((digest) => digest === digests[1], minute)).toEqual([]);
    expect(await blobs.collect(never, minute)).toEqual([]);
    clock.advance(minute);
    expect([...(await blobs.collect(never, minute))].sort()).toEqual(digests.toSorted());
    expect(await blobs.collect(never, 0)).toEqual([]);
  });

  withBlobs("a put under way is not touched by collecting, whatever its age", async (blobs, clock) => {
    let go = () => undefined as void;
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    async function* held() {
      yield Buffer.from("first ");
      await gate;
      yield Buffer.from("second");
    }
    const putting = blobs.put(held());
    clock.advance(10 * minute);
    expect(await blobs.collect(never, 0)).toEqual([]);
    go();
    const blob = await blobs.open(await putting);
    expect(await textAt(blob, 0, 20)).toBe("first second");
    await blob.close();
  });

  withBlobs("a blob that is brought while it is collected is there for who brought it", async (blobs, clock) => {
    for (let round = 0; round < 20; round += 1) {
      await blobs.put([Buffer.from("again")]);
      clock.advance(minute);
      const [digest] = await Promise.all([blobs.put(slowly("ag", "ain")), blobs.collect(never, minute)]);
      await (await blobs.open(digest)).close();
    }
  });

  withBlobs("its owner removes a blob at once, whatever its age, and then it is not there", async (blobs) => {
    const owner = ownerOf();
    const digest = await blobs.put([Buffer.from("mine")], owner);
    expect(owner.brought).toEqual([digest]);
    expect(await blobs.remove(digest, owner)).toBe("gone");
    expect(await refusal(blobs.open(digest))).toBe("blob.unknown");
    expect(await blobs.remove(digest, owner)).toBe("gone");
    await blobs.put([Buffer.from("mine")], owner);
    await (await blobs.open(digest)).close();
  });

  withBlobs("what is named, on its way, read or brought by others too is not removed", async (blobs) => {
    const digest = digestOf("mine");
    const owner = ownerOf();
    await blobs.put([Buffer.from("mine")], owner);
    owner.now.isNamed = true;
    expect(await blobs.remove(digest, owner)).toBe("named");
    owner.now = { isNamed: false, isOnItsWay: true };
    expect(await blobs.remove(digest, owner)).toBe("held");
    owner.now.isOnItsWay = false;
    const readers = await Promise.all([blobs.open(digest), blobs.open(digest)]);
    for (const reader of readers) {
      expect(await blobs.remove(digest, owner)).toBe("held");
      await Promise.all([reader.close(), reader.close()]);
    }
    expect(await blobs.remove(digest, owner)).toBe("gone");
    for (const other of [undefined, ownerOf()]) {
      await blobs.put([Buffer.from("mine")], owner);
      await blobs.put([Buffer.from("mine")], other);
      expect(await blobs.remove(digest, owner)).toBe("held");
      await (await blobs.open(digest)).close();
      expect(await blobs.collect(never, 0)).toEqual([digest]);
    }
  });

  withBlobs("a blob that is brought while it is removed is there for who brought it", async (blobs) => {
    for (let round = 0; round < 20; round += 1) {
      const brought: string[] = [];
      const owner: BlobOwner = {
        onBrought: (digest) => void brought.push(digest),
        isOnItsWay: () => brought.length > 1,
        isNamed: () => Promise.resolve(false),
      };
      const digest = await blobs.put([Buffer.from("again")], owner);
      await Promise.all([blobs.put(slowly("ag", "ain"), owner), blobs.remove(digest, owner)]);
      await (await blobs.open(digest)).close();
      await blobs.collect(never, 0);
    }
  });

  withBlobs("an open blob is read on though it was collected", async (blobs) => {
    const blob = await blobs.open(await blobs.put([Buffer.from("still here")]));
    await blobs.collect(never, 0);
    expect(await textAt(blob, 0, 20)).toBe("still here");
    await blob.close();
  });
}

/** Whose blobs no record names, and that has none on its way, unless the test says so. */
function ownerOf() {
  const owner = {
    brought: [] as string[],
    now: { isNamed: false, isOnItsWay: false },
    onBrought: (digest: string) => void owner.brought.push(digest),
    isOnItsWay: () => owner.now.isOnItsWay,
    isNamed: () => Promise.resolve(owner.now.isNamed),
  };
  return owner;
}

export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

async function textAt(blob: Blob, at: number, length: number): Promise<string> {
  return Buffer.from(await blob.read(at, length)).toString();
}

async function* slowly(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) {
    await Promise.resolve();
    yield Buffer.from(text);
  }
}
