import { memoryBlobs } from "@gatehouse/store/blobs";
import { describe, expect, test } from "vitest";
import {
  announcedOf,
  bodyOf,
  bytes,
  digestOf,
  partBytes,
  partOf,
  refusalCode,
  setUpArtifacts,
} from "./artifact-cases.ts";
import { artifactsLimits } from "./limits.ts";

const wrong = Buffer.from("gatehouse, bat by bit");

/** With the number of blobs that are there. */
async function setUp() {
  const blobs = memoryBlobs();
  const there = new Set<string>();
  const artifacts = await setUpArtifacts({
    blobs: {
      ...blobs,
      put: async (parts, owner) => {
        const digest = await blobs.put(parts, owner);
        there.add(digest);
        return digest;
      },
      remove: async (digest, owner) => {
        const how = await blobs.remove(digest, owner);
        if (how === "gone") there.delete(digest);
        return how;
      },
    },
  });
  await artifacts.announce();
  return { artifacts, there };
}

describe("the bytes of artifacts", () => {
  test("of one part that many bring at once, each with others, are on the disk once", async () => {
    const { artifacts, there } = await setUp();
    const bodies = Array.from({ length: 20 }, (_, n) => bodyOf(Buffer.alloc(partBytes, n)));
    const codes = await Promise.all(bodies.map((body) => refusalCode(artifacts.keep(0, body))));
    expect(codes.filter((code) => code === "nothing")).toHaveLength(1);
    expect([...there]).toEqual([(await artifacts.now())?.parts[0]?.sha256]);
  });

  test("are there once when it is whole, and go with it", async () => {
    const { artifacts, there } = await setUp();
    for (const number of [0, 1, 2]) await artifacts.bring(number);
    expect([...there]).toEqual([digestOf(bytes)]);
    await artifacts.remove();
    expect([...there]).toEqual([]);
  });

  test("go at once when they are others than was announced, and when the artifact stays on its way", async () => {
    const { artifacts, there } = await setUp();
    for (const number of [0, 1]) await artifacts.bring(number, wrong);
    expect(await refusalCode(artifacts.bring(2, wrong))).toBe("artifact.digest");
    expect([...there]).toEqual([]);
    await artifacts.bring(0);
    artifacts.clock.advance(artifactsLimits.arrivingMs);
    await artifacts.sweep();
    expect([...there]).toEqual([]);
  });

  test("that are brought while the artifact is removed go at once", async () => {
    const { artifacts, there } = await setUp();
    const removes = bodyOf(partOf(bytes, 0), async function* () {
      await artifacts.remove();
      yield partOf(bytes, 0);
    });
    expect(await refusalCode(artifacts.keep(0, removes))).toBe("artifact.unknown");
    expect([...there]).toEqual([]);
  });

  test("that somebody reads still take room from others, until the reader has ended", async () => {
    const { artifacts, there } = await setUp();
    for (const number of [0, 1, 2]) await artifacts.bring(number);
    const reader = await artifacts.blobs.open(digestOf(bytes));
    await artifacts.remove();
    expect([...there]).toEqual([digestOf(bytes)]);
    const most = 512 * 1024 * 1024;
    const large = (n: number, size = most) => announcedOf(bytes, { sha256: digestOf(Buffer.from([n])), size });
    const count = artifactsLimits.bytes / most;
    for (let n = 1; n < count; n += 1) await artifacts.announce(large(n));
    expect(await refusalCode(artifacts.announce(large(0)))).toBe("artifact.quota");
    await reader.close();
    await artifacts.announce(large(0));
    expect([...there]).toEqual([]);
  });
});
