import { createHash } from "node:crypto";
import { fault } from "@gatehouse/contract/faults";

/** An artifact on the disk of this host, open since before its first byte was there: whatever its name leads to now, it is the file that was hashed. */
export interface KeptArtifact {
  readonly sha256: string;
  readonly size: number;
  /** Reads up to `length` bytes at `position`; fewer at its end. */
  read(position: number, length: number): Promise<Uint8Array>;
  /** Nobody else has it then, and its place on the disk is free. */
  close(): Promise<void>;
}

const pieceBytes = 1024 * 1024;

/**
 * Gives all bytes in order, and hashes what it gives. Throws `artifact.digest` when the file is no longer what was hashed: what was
 * made of the bytes until then is to be thrown away.
 */
export async function readArtifact(
  { sha256, size, read }: Pick<KeptArtifact, "sha256" | "size" | "read">,
  take: (bytes: Uint8Array, position: number) => Promise<void>,
): Promise<void> {
  const hash = createHash("sha256");
  for (let position = 0; position < size; ) {
    const bytes = await read(position, Math.min(pieceBytes, size - position));
    if (bytes.byteLength === 0) throw fault("artifact.digest", `expected ${size} bytes, found ${position}`);
    hash.update(bytes);
    await take(bytes, position);
    position += bytes.byteLength;
  }
  const found = hash.digest("hex");
  if (found !== sha256) throw fault("artifact.digest", `expected ${sha256}, found ${found}`);
}
