/** Files of this size have their steps counted; smaller ones have nothing to be slow with. */
export const largeBytes = 4_096;

/** What reading a stranger's file may cost: so much in any case, and so much for each byte. None has taken more than three for each. */
export function mostSteps(file: Uint8Array): number {
  return 10_000 + 10 * file.byteLength;
}
