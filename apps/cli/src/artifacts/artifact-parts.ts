import type { Artifact } from "@gatehouse/contract/routes";

type Parted = Pick<Artifact, "size" | "partSize" | "parts">;

export function partCount({ size, partSize }: Parted): number {
  return Math.ceil(size / partSize);
}

/** Where a part begins, and how long it is: only the last one is shorter. */
export function placeOfPart({ size, partSize }: Parted, number: number) {
  const at = number * partSize;
  return { at, length: Math.min(partSize, size - at) };
}

/**
 * The parts that the server does not have. Where it has all of them and is not done, something ended it before it had joined them: the last
 * one, sent again, has it begin anew.
 */
export function lackingParts(artifact: Parted): number[] {
  const all = Array.from({ length: partCount(artifact) }, (_, number) => number);
  const lacking = all.filter((number) => !artifact.parts.includes(number));
  return lacking.length > 0 ? lacking : all.slice(-1);
}

/** How many bytes the server has. */
export function arrivedBytes(artifact: Parted): number {
  return artifact.parts.reduce((sum, number) => sum + placeOfPart(artifact, number).length, 0);
}
