import { createHash } from "node:crypto";
import { systemClock } from "@gatehouse/base";
import type { Blobs } from "./blobs.ts";
import { Ages, type BlobsDeps, bounded, checkDigest, Holders, noBlob, readable } from "./shared.ts";

/** Blobs without a disk, for tests of everything above them. */
export function memoryBlobs({ clock = systemClock, mostBytes }: BlobsDeps = {}): Blobs {
  const blobs = new Map<string, Uint8Array>();
  const ages = new Ages(clock);
  const holders = new Holders();
  const drop = (digest: string): void => {
    blobs.delete(digest);
    ages.forget(digest);
    holders.forget(digest);
  };
  return {
    put: async (parts, owner) => {
      const copies: Uint8Array[] = [];
      // Copied, as a disk does: whoever brought them may write into them again.
      for await (const part of bounded(parts, mostBytes)) copies.push(new Uint8Array(part));
      const bytes = Buffer.concat(copies);
      const digest = createHash("sha256").update(bytes).digest("hex");
      holders.bring(digest, owner);
      blobs.set(digest, bytes);
      ages.begin(digest);
      return digest;
    },
    open: (digest) =>
      holders.read(digest, async () => {
        checkDigest(digest);
        const bytes = blobs.get(digest);
        if (bytes === undefined) throw noBlob(digest);
        return readable(bytes.length, {
          read: async (at, length) => new Uint8Array(bytes.subarray(at, at + length)),
          close: () => Promise.resolve(),
        });
      }),
    collect: async (isNamed, olderThanMs) => {
      const collected: string[] = [];
      for (const digest of blobs.keys()) {
        if (isNamed(digest)) ages.forget(digest);
        else if (ages.of(digest) >= olderThanMs) collected.push(digest);
      }
      for (const digest of collected) {
        drop(digest);
      }
      return collected;
    },
    remove: async (digest, owner) => {
      checkDigest(digest);
      const wasHeld = holders.isHeldFor(owner, digest);
      if (await owner.isNamed(digest)) return "named";
      // Somebody may have brought or opened it meanwhile.
      if (wasHeld || holders.isHeldFor(owner, digest)) return "held";
      drop(digest);
      return "gone";
    },
  };
}
