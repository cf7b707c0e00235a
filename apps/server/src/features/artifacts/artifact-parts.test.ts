import { fault } from "@gatehouse/contract";
import { openFileBlobs, memoryBlobs } from "@gatehouse/store/blobs";
import type { Decide } from "@gatehouse/store/decide";
import { faultyVfs } from "@gatehouse/files/faulty";
import { describe, expect, test } from "vitest";
import { Random } from "../../../../../tests/support/random.ts";
import type { ArtifactRecord } from "@gatehouse/contract/records";
import {
  bodyOf,
  bytes,
  contentOfBlob,
  digestOf,
  partBytes,
  partOf,
  refusalCode,
  setUpArtifacts,
} from "./artifact-cases.ts";
import { blobsOfArtifact } from "./artifact-parts.ts";
import { artifactsLimits } from "./limits.ts";

const whole = digestOf(bytes);
const wrong = Buffer.from("gatehouse, bat by bit");

describe("the parts of an artifact", () => {
  test("arrive in any order, and are one blob with the last of them", async () => {
    const artifacts = await setUpArtifacts();
    await artifacts.announce();
    expect(await artifacts.bring(2)).toMatchObject({ parts: [{ number: 2 }] });
    expect(await artifacts.bring(0)).toMatchObject({ parts: [{ number: 0 }, { number: 2 }] });
    const last = await artifacts.bring(1);
    expect(last).toMatchObject({
      wholeAt: artifacts.clock.now(),
      parts: [{ number: 0 }, { number: 1 }, { number: 2 }],
    });
    expect(await contentOfBlob(artifacts.blobs, whole)).toEqual(bytes);
    expect(blobsOfArtifact(last)).toEqual([whole]);
    expect(await artifacts.actions()).toEqual([
      "artifact.announced",
      ...Array.from({ length: 3 }, () => "artifact.part_kept"),
      "artifact.kept",
    ]);
  });

  test("may come again, also when the artifact is whole: the same is the same, and another is refused", async () => {
    const artifacts = await setUpArtifacts();
    await artifacts.announce();
    for (const number of [0, 0, 1, 2, 2]) await artifacts.bring(number);
    const before = await artifacts.actions();
    expect(await artifacts.bring(1)).toMatchObject({ wholeAt: artifacts.clock.now() });
    expect(await refusalCode(artifacts.bring(1, wrong))).toBe("artifact.differs");
    expect(await artifacts.actions()).toEqual(before);
    expect(before.filter((action) => action === "artifact.part_kept")).toHaveLength(3);
  });

  test("that are there already are not written again, whatever comes", async () => {
    const blobs = memoryBlobs();
    let puts = 0;
    const artifacts = await setUpArtifacts({
      blobs: {
        ...blobs,
        put: (parts) => {
          puts += 1;
          return blobs.put(parts);
        },
      },
    });
    await artifacts.announce();
    await artifacts.bring(0);
    for (const other of [bytes, wrong, Buffer.from("others, others")]) {
      await refusalCode(artifacts.bring(0, other));
    }
    expect(puts).toBe(1);
  });

  test("have their number and their length, or nothing of them is read", async () => {
    const artifacts = await setUpArtifacts();
    const unread = (length: number) =>
      bodyOf(Buffer.alloc(length), () => {
        throw new Error("somebody read it");
      });
    expect(await refusalCode(artifacts.keep(0, unread(partBytes)))).toBe("artifact.unknown");
    await artifacts.announce();
    for (const [number, length] of [
      [3, 5],
      [3, 8],
      [99, 8],
      [0, 7],
      [0, 9],
      [2, 8],
      [2, 4],
    ] as const) {
      expect(await refusalCode(artifacts.keep(number, unread(length))), `${number}, ${length}`).toBe("artifact.parts");
    }
  });

  test("that two bring at once are kept once; the last two at once are joined once", async () => {
    const artifacts = await setUpArtifacts();
    await artifacts.announce();
    await Promise.all([artifacts.bring(0), artifacts.bring(0), artifacts.bring(0)]);
    expect(await artifacts.actions()).toEqual(["artifact.announced", "artifact.part_kept"]);
    await Promise.all([artifacts.bring(1), artifacts.bring(2), artifacts.bring(2)]);
    expect(await artifacts.now()).toMatchObject({ wholeAt: artifacts.clock.now() });
    const actions = await artifacts.actions();
    expect(actions.filter((action) => action === "artifact.kept")).toHaveLength(1);
    expect(actions.filter((action) => action === "artifact.part_kept")).toHaveLength(3);
  });

  test("of which two bring different ones at once: the first one counts", async () => {
    const artifacts = await setUpArtifacts();
    await artifacts.announce();
    const codes = await Promise.all([refusalCode(artifacts.bring(1)), refusalCode(artifacts.bring(1, wrong))]);
    expect(codes.toSorted()).toEqual(["artifact.differs", "nothing"]);
  });

  test("that are not what was announced are dropped, all of them, and the next try begins anew", async () => {
    const artifacts = await setUpArtifacts();
    await artifacts.announce();
    for (const number of [0, 1]) await artifacts.bring(number, wrong);
    expect(await refusalCode(artifacts.bring(2, wrong))).toBe("artifact.digest");
    expect(await artifacts.now()).toMatchObject({ parts: [] });
    expect((await artifacts.actions()).at(-1)).toBe("artifact.refused");
    for (const number of [0, 1, 2]) await artifacts.bring(number);
    expect(await artifacts.now()).toMatchObject({ wholeAt: artifacts.clock.now() });
  });

  test("of which one was lost from the disk are dropped too", async () => {
    const artifacts = await setUpArtifacts();
    await artifacts.announce();
    for (const number of [0, 1]) await artifacts.bring(number);
    const lost = digestOf(partOf(bytes, 0));
    await artifacts.blobs.collect((name) => name !== lost, 0);
    expect(await refusalCode(artifacts.bring(2))).toBe("artifact.digest");
    expect(await artifacts.now()).toMatchObject({ parts: [] });
  });

  test("whose sender leaves half way are not kept", async () => {
    const artifacts = await setUpArtifacts();
    await artifacts.announce();
    const leaves = bodyOf(partOf(bytes, 0), async function* () {
      yield await Promise.resolve(Uint8Array.of(1));
      throw fault("request.malformed", "the body did not arrive whole");
    });
    expect(await refusalCode(artifacts.keep(0, leaves))).toBe("request.malformed");
    expect(await artifacts.now()).toMatchObject({ parts: [] });
    expect(await artifacts.blobs.collect(() => false, 0)).toEqual([]);
  });

  test("of an artifact that is removed meanwhile are nobody's", async () => {
    const artifacts = await setUpArtifacts();
    await artifacts.announce();
    const removes = bodyOf(partOf(bytes, 0), async function* () {
      await artifacts.remove();
      yield partOf(bytes, 0);
    });
    expect(await refusalCode(artifacts.keep(0, removes))).toBe("artifact.unknown");
    expect(await artifacts.now()).toBeUndefined();
  });
});

describe("a disk that is full", () => {
  test("keeps nothing of a part, and what is there stays; with room again the same part is taken", async () => {
    const vfs = faultyVfs({ directories: ["/data"], capacity: 12 });
    const artifacts = await setUpArtifacts({ blobs: await openFileBlobs({ directory: "/data", vfs }) });
    await artifacts.announce();
    await artifacts.bring(0);
    expect(await refusalCode(artifacts.bring(1))).toBe("store.disk_full");
    expect(await artifacts.now()).toMatchObject({ parts: [{ number: 0 }] });
    vfs.setCapacity(30);
    await artifacts.bring(1);
    // Enough for the last part, and not for all of it once more.
    expect(await refusalCode(artifacts.bring(2))).toBe("store.disk_full");
    expect(await artifacts.now()).toMatchObject({ parts: [{ number: 0 }, { number: 1 }, { number: 2 }] });
    vfs.setCapacity(1_000);
    expect(await artifacts.bring(2)).toMatchObject({ wholeAt: artifacts.clock.now() });
  });
});

describe("an end in the middle", () => {
  test("between a part's bytes and its record leaves bytes that nobody names, and the part can be brought again", async () => {
    let lose = 0;
    const artifacts = await setUpArtifacts({
      through:
        (decide): Decide =>
        (turns, make) => {
          lose -= 1;
          return lose === 0 ? Promise.reject(fault("store.unavailable", "cut off")) : decide(turns, make);
        },
    });
    await artifacts.announce();
    lose = 1;
    expect(await refusalCode(artifacts.bring(0))).toBe("store.unavailable");
    expect(await artifacts.now()).toMatchObject({ parts: [] });
    for (const number of [0, 1]) await artifacts.bring(number);
    // The part is kept, and what says that all of them are joined is not.
    lose = 2;
    expect(await refusalCode(artifacts.bring(2))).toBe("store.unavailable");
    expect((await artifacts.now())?.wholeAt).toBeUndefined();
    await artifacts.sweep();
    expect(await artifacts.now()).toMatchObject({ wholeAt: artifacts.clock.now() });
  });

  test("by power, whenever it fails, leaves a record whose blobs are there and an upload that goes on", async () => {
    const vfs = faultyVfs({ directories: ["/data"] });
    const states: { op: number; record: ArtifactRecord | undefined }[] = [];
    const artifacts = await setUpArtifacts({
      blobs: await openFileBlobs({ directory: "/data", vfs }),
      through:
        (decide): Decide =>
        async (turns, make) => {
          const result = await decide(turns, make);
          states.push({ op: vfs.ops, record: await artifacts.now() });
          return result;
        },
    });
    const begun = vfs.ops;
    await artifacts.announce();
    for (const number of [0, 1, 2]) await artifacts.bring(number);
    const random = new Random(1);
    for (let op = begun; op <= vfs.ops; op += 1) {
      const record = states.findLast((one) => one.op <= op)?.record;
      if (record === undefined) continue;
      for (let draw = 0; draw < 5; draw += 1) {
        const blobs = await openFileBlobs({ directory: "/data", vfs: vfs.imageAt(op, random) });
        for (const name of blobsOfArtifact(record)) await (await blobs.open(name)).close();
        const after = await setUpArtifacts({ blobs, records: [record] });
        await after.sweep();
        for (const number of [0, 1, 2]) await after.bring(number);
        expect((await after.now())?.wholeAt, `cut at ${op}`).toBeDefined();
        expect(await contentOfBlob(blobs, whole)).toEqual(bytes);
      }
    }
  });
});

describe("an artifact on its way", () => {
  test("is forgotten after a day, and one that is whole is not", async () => {
    const artifacts = await setUpArtifacts();
    await artifacts.announce();
    await artifacts.bring(0);
    artifacts.clock.advance(artifactsLimits.arrivingMs - 1);
    await artifacts.sweep();
    expect(await artifacts.now()).toBeDefined();
    artifacts.clock.advance(1);
    await artifacts.sweep();
    expect(await artifacts.now()).toBeUndefined();
    expect((await artifacts.actions()).at(-1)).toBe("artifact.removed");
    await artifacts.announce();
    for (const number of [0, 1, 2]) await artifacts.bring(number);
    artifacts.clock.advance(artifactsLimits.arrivingMs);
    await artifacts.sweep();
    expect(await artifacts.now()).toBeDefined();
  });

  test("whose parts turn out wrong in a sweep does not keep others from being swept", async () => {
    const artifacts = await setUpArtifacts();
    await artifacts.announce();
    for (const number of [0, 1, 2]) await artifacts.keep(number, bodyOf(partOf(wrong, number)));
    await artifacts.sweep();
    expect(await artifacts.now()).toMatchObject({ parts: [] });
  });
});
