/** The beginning of a program for a processor, and as many bytes behind it as are wanted. */
export function elfOf(architecture: "x64" | "arm64", size = 64): Uint8Array {
  const bytes = Uint8Array.from({ length: size }, (_, at) => at % 251);
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]);
  bytes.set([2, 0, architecture === "x64" ? 62 : 183, 0], 16);
  return bytes;
}

/** The smallest beginning of a program for x64 that is text as well. */
export const programHead = `\x7fELF\x02\x01\x01${"\0".repeat(9)}\x02\0>\0`;
