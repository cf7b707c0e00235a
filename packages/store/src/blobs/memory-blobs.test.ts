import { describe } from "vitest";
import { blobCases } from "./blob-cases.ts";
import { memoryBlobs } from "./memory-blobs.ts";

describe("blobs in memory", () => {
  blobCases(async (deps) => ({ blobs: memoryBlobs(deps), done: () => Promise.resolve() }));
});
