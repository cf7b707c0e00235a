const units = ["KiB", "MiB", "GiB", "TiB"] as const;

/** "351 bytes", "38.2 MiB": a size as a person compares it. What is exact stands beside it where it counts. */
export function sizeWords(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  let at = 0;
  let size = bytes / 1024;
  // 1023.96 would be written as 1024.0.
  while (size >= 1023.95 && at < units.length - 1) {
    size /= 1024;
    at += 1;
  }
  return `${size.toFixed(1)} ${units[at]}`;
}
