import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hashFile } from "./file-bytes.ts";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "gatehouse-file-bytes-"));
});
afterAll(() => rm(directory, { recursive: true }));

describe("hashing a file piece by piece", () => {
  const piece = 256 * 1024;
  test.each([1, piece - 1, piece, piece + 1, 3 * piece, 3 * piece + 7])("%i bytes have their digest", async (size) => {
    const bytes = randomBytes(size);
    expect(await hashed(bytes, size)).toBe(createHash("sha256").update(bytes).digest("hex"));
  });

  test("a file that is shorter or longer than it was said to be has none", async () => {
    const bytes = randomBytes(2 * piece);
    expect(await hashed(bytes, bytes.byteLength + 1)).toBeUndefined();
    expect(await hashed(bytes, bytes.byteLength - 1)).toBeUndefined();
    expect(await hashed(bytes, piece)).toBeUndefined();
  });
});

async function hashed(bytes: Uint8Array, size: number): Promise<string | undefined> {
  const path = join(directory, "file");
  await writeFile(path, bytes);
  const file = await open(path);
  try {
    return await hashFile(file.fd, size);
  } finally {
    await file.close();
  }
}
