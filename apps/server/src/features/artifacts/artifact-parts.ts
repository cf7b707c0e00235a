import { fault } from "@gatehouse/contract";
import { type ArtifactRecord, artifactKind } from "@gatehouse/contract/records";
import { artifactBytes } from "@gatehouse/contract/routes";
import type { StoredRecord } from "@gatehouse/store";
import type { Reads } from "@gatehouse/store/decide";

export async function getArtifact(
  read: Reads,
  id: string,
  how: { readonly newest?: true } = {},
): Promise<StoredRecord<ArtifactRecord>> {
  const found = await read.get(artifactKind.key(id), how);
  if (found === undefined) throw fault("artifact.unknown", `there is no artifact ${id}`);
  return found;
}

export function isWholeArtifact({ wholeAt }: Pick<ArtifactRecord, "wholeAt">): boolean {
  return wholeAt !== undefined;
}

/** All parts are there; nobody has joined them yet. */
export function isComplete(
  { size, parts }: Pick<ArtifactRecord, "size" | "parts">,
  partBytes: number = artifactBytes.part,
): boolean {
  return parts.length === Math.ceil(size / partBytes);
}

/** How long the part has to be. Refuses a number that the artifact does not reach. */
export function lengthOfPart(
  { size }: Pick<ArtifactRecord, "size">,
  number: number,
  partBytes: number = artifactBytes.part,
): number {
  const count = Math.ceil(size / partBytes);
  if (number >= count) throw fault("artifact.parts", `expected a part from 0 to ${count - 1}, found ${number}`);
  return number < count - 1 ? partBytes : size - number * partBytes;
}

/** What an entry of the log says of it. */
export function loggedFacts({ name, version, architecture, sha256 }: ArtifactRecord) {
  return { name, version, architecture, sha256 };
}

export interface KeptBytes {
  readonly sha256: string;
  readonly size: number;
}

/** The bytes of its parts that have arrived. */
export function partsOfArtifact(record: ArtifactRecord, partBytes?: number): readonly KeptBytes[] {
  return record.parts.map(({ number, sha256 }) => ({ sha256, size: lengthOfPart(record, number, partBytes) }));
}

/** All bytes that are kept for it. */
export function bytesOfArtifact(record: ArtifactRecord, partBytes?: number): readonly KeptBytes[] {
  return isWholeArtifact(record) ? [{ sha256: record.sha256, size: record.size }] : partsOfArtifact(record, partBytes);
}

/** Blobs that it names: of its parts while it arrives, of all its bytes afterwards. */
export function blobsOfArtifact(record: ArtifactRecord): readonly string[] {
  return isWholeArtifact(record) ? [record.sha256] : record.parts.map(({ sha256 }) => sha256);
}
