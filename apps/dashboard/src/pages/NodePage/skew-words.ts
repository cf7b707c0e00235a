/** How far the host's clock is off, in the unit that says it. */
export function skewWords(ms: number | null): string {
  if (ms === null) return "Not compared yet";
  const off = Math.abs(ms);
  const side = ms < 0 ? "behind" : "ahead of";
  if (off < 1_000) return `${off} ms ${side} the server`;
  if (off < 60_000) return `${(off / 1_000).toFixed(1)} s ${side} the server`;
  const minutes = Math.floor(off / 60_000);
  return minutes < 60
    ? `${minutes} min ${side} the server`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min ${side} the server`;
}
