import { createHash } from "node:crypto";
import { join } from "node:path";
import { systemClock } from "@gatehouse/base";
import { fault } from "@gatehouse/contract/faults";
import {
  createAnew,
  isAbsent,
  isFull,
  makeDirectoryDurably,
  nodeVfs,
  ownDirectory,
  syncOrEnd,
  UnknownOutcome,
  type Vfs,
  type VfsFile,
} from "@gatehouse/files";
import { diskFull } from "../disk-guard.ts";
import { Turn } from "../turn.ts";
import { type Blob, blobLimits, type BlobOwner, type Blobs } from "./blobs.ts";
import { Ages, type BlobsDeps, bounded, checkDigest, Holders, isDigest, noBlob, readable } from "./shared.ts";

export interface FileBlobsOptions extends BlobsDeps {
  /** The data directory. It belongs to this process. */
  readonly directory: string;
  /** Throws when the disk has no room for so many bytes. Asked before the first of them and with each piece. */
  readonly requireSpace?: ((bytes: number) => void) | undefined;
  /** For tests: another disk. */
  readonly vfs?: Vfs;
}

/** What a `put` writes into before its digest is known. */
const incomingPrefix = "incoming-";

/** Blobs as files, `blobs/sha256/<digest>` in the data directory. */
export async function openFileBlobs(options: FileBlobsOptions): Promise<Blobs> {
  const { vfs = nodeVfs, clock = systemClock } = options;
  const directory = join(options.directory, "blobs", "sha256");
  await makeDirectoryDurably(vfs, join(options.directory, "blobs"));
  await makeDirectoryDurably(vfs, directory);
  // A careless copy may have opened them to others; another disk than the real one has no modes.
  if (options.vfs === undefined) for (const place of [join(options.directory, "blobs"), directory]) ownDirectory(place);
  // Nothing is under way yet: what an earlier process left half written is nobody's.
  for (const name of await vfs.list(directory)) {
    if (name.startsWith(incomingPrefix)) await vfs.remove(join(directory, name));
  }
  const ages = new Ages(clock);
  const holders = new Holders();
  /** A blob appears and disappears in turn, or one that is brought again could be removed right behind its bringer. */
  const turn = new Turn();
  /** The sizes of those whose bytes were checked. */
  const verified = new Map<string, Promise<number>>();
  let serial = 0;

  const appear = (incoming: string, digest: string, owner: BlobOwner | undefined): Promise<void> =>
    turn.run(async () => {
      holders.bring(digest, owner);
      ages.begin(digest);
      try {
        await vfs.rename(incoming, join(directory, digest));
        await vfs.syncDirectory(directory);
      } catch (error) {
        throw new UnknownOutcome(`blob ${digest} was being kept`, { cause: error });
      }
    });
  const drop = async (digest: string): Promise<void> => {
    await vfs.remove(join(directory, digest)).catch((error: unknown) => {
      if (!isAbsent(error)) throw error;
    });
    ages.forget(digest);
    holders.forget(digest);
    verified.delete(digest);
  };
  const disappear = (digest: string, olderThanMs: number): Promise<boolean> =>
    turn.run(async () => {
      if (ages.of(digest) < olderThanMs) return false;
      await drop(digest);
      return true;
    });
  const verifyOnce = (digest: string, file: VfsFile): Promise<number> => {
    const known = verified.get(digest);
    if (known !== undefined) return known;
    const verifying = verify(digest, file).catch((error: unknown) => {
      verified.delete(digest);
      throw error;
    });
    verified.set(digest, verifying);
    return verifying;
  };

  const openBlob = async (digest: string): Promise<Blob> => {
    checkDigest(digest);
    const file = await vfs.open(join(directory, digest), "read").catch((error: unknown) => {
      throw isAbsent(error) ? noBlob(digest) : error;
    });
    try {
      const [size, found] = [await verifyOnce(digest, file), await file.size()];
      if (found !== size) throw damaged(digest, `it has ${found} bytes and had ${size}`);
      return readable(size, file);
    } catch (error) {
      await file.close();
      throw error;
    }
  };

  return {
    put: async (parts, owner) => {
      serial += 1;
      const incoming = join(directory, `${incomingPrefix}${serial}`);
      const { requireSpace, mostBytes } = options;
      const digest = await writeIncoming({ vfs, requireSpace }, incoming, bounded(parts, mostBytes));
      await appear(incoming, digest, owner);
      return digest;
    },
    open: (digest) => holders.read(digest, () => openBlob(digest)),
    collect: async (isNamed, olderThanMs) => {
      const collected: string[] = [];
      for (const name of (await vfs.list(directory)).filter(isDigest)) {
        if (isNamed(name)) ages.forget(name);
        else if (await disappear(name, olderThanMs)) collected.push(name);
      }
      return collected;
    },
    remove: async (digest, owner) => {
      checkDigest(digest);
      // In turn: none of its bytes appear meanwhile, so that what was not on its way at first is not afterwards.
      return turn.run(async () => {
        const wasHeld = holders.isHeldFor(owner, digest);
        if (await owner.isNamed(digest)) return "named";
        // Somebody may have opened it meanwhile.
        if (wasHeld || holders.isHeldFor(owner, digest)) return "held";
        await drop(digest);
        return "gone";
      });
    },
  };
}

/** Resolves with the digest when the bytes are durable; leaves nothing when they are not. */
async function writeIncoming(
  { vfs, requireSpace }: { readonly vfs: Vfs } & Pick<FileBlobsOptions, "requireSpace">,
  path: string,
  parts: AsyncIterable<Uint8Array>,
): Promise<string> {
  requireSpace?.(0);
  const hash = createHash("sha256");
  const file = await createAnew(vfs, path);
  try {
    let size = 0;
    for await (const part of parts) {
      requireSpace?.(size + part.length);
      hash.update(part);
      await file.write(part, size);
      size += part.length;
    }
    await syncOrEnd(file);
  } catch (error) {
    await file.close().catch(() => undefined);
    await vfs.remove(path).catch(() => undefined);
    throw isFull(error) ? diskFull(undefined, error) : error;
  }
  await file.close();
  return hash.digest("hex");
}

/** Reads all of it; gives its size. */
async function verify(digest: string, file: VfsFile): Promise<number> {
  const hash = createHash("sha256");
  for (let at = 0; ; ) {
    const bytes = await file.read(at, blobLimits.readBytes);
    at += bytes.length;
    hash.update(bytes);
    if (bytes.length > 0) continue;
    const found = hash.digest("hex");
    if (found === digest) return at;
    throw damaged(digest, `its bytes have the digest ${found}`);
  }
}

function damaged(digest: string, how: string): Error {
  return fault("blob.unknown", `blob ${digest} is damaged: ${how}`);
}
