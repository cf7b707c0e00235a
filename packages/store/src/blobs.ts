import { createHash } from "node:crypto";
import { join } from "node:path";
import { fault } from "@gatehouse/contract/faults";
import { isAbsent, type Vfs, type VfsFile } from "./vfs/vfs.ts";
import { makeDirectoryDurably, replaceDurably } from "./vfs/write-durably.ts";

const form = /^[0-9a-f]{64}$/;

/** Large bytes, named by their SHA-256. Durable before the commit that names them; collected when no record does. */
export interface Blobs {
  /** Keeps the bytes and returns their digest. When this resolves they are durable and may be named. */
  put(parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<string>;
  /** Opens a blob for reading; its bytes are checked against its name first. */
  open(digest: string): Promise<VfsFile>;
  /** Removes every blob that `isNamed` does not know. */
  collect(isNamed: (digest: string) => boolean): Promise<readonly string[]>;
}

export async function openBlobs(vfs: Vfs, dataDirectory: string): Promise<Blobs> {
  const directory = join(dataDirectory, "blobs", "sha256");
  await makeDirectoryDurably(vfs, join(dataDirectory, "blobs"));
  await makeDirectoryDurably(vfs, directory);
  let serial = 0;
  return {
    put: async (parts) => {
      serial += 1;
      const incoming = join(directory, `incoming-${process.pid}-${serial}`);
      const hash = createHash("sha256");
      let size = 0;
      await replaceDurably(vfs, incoming, async (file) => {
        for await (const part of parts) {
          hash.update(part);
          await file.write(part, size);
          size += part.length;
        }
      });
      const digest = hash.digest("hex");
      await vfs.rename(incoming, join(directory, digest));
      await vfs.syncDirectory(directory);
      return digest;
    },
    open: async (digest) => {
      if (!form.test(digest)) throw fault("blob.unknown", "a blob is named by 64 lowercase hexadecimal digits");
      const file = await vfs.open(join(directory, digest), "read").catch((error: unknown) => {
        if (isAbsent(error)) throw fault("blob.unknown", `there is no blob ${digest}`);
        throw error;
      });
      const found = await digestOf(file);
      if (found === digest) return file;
      await file.close();
      throw fault("blob.unknown", `blob ${digest} is damaged: its bytes have the digest ${found}`);
    },
    collect: async (isNamed) => {
      const unnamed = (await vfs.list(directory)).filter((name) => !isNamed(name));
      for (const name of unnamed) await vfs.remove(join(directory, name));
      return unnamed.filter((name) => form.test(name));
    },
  };
}

async function digestOf(file: VfsFile): Promise<string> {
  const hash = createHash("sha256");
  for (let at = 0; ; ) {
    const bytes = await file.read(at, 1024 * 1024);
    if (bytes.length === 0) return hash.digest("hex");
    hash.update(bytes);
    at += bytes.length;
  }
}
