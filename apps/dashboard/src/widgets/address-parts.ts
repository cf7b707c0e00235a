/** "2026-11-17T02:48Z": as much as a person types; seconds and their parts only where there are any. */
export function isoMoment(at: number): string {
  const iso = new Date(at).toISOString();
  if (at % 60_000 === 0) return `${iso.slice(0, 16)}Z`;
  return at % 1_000 === 0 ? `${iso.slice(0, 19)}Z` : iso;
}

export function momentOf(value: unknown): number | undefined {
  const at = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** What stands between commas, each once; undefined where nothing is said, which is another thing than nothing. */
export function namesOf(value: unknown, most: number): readonly string[] | undefined {
  if (typeof value !== "string") return undefined;
  return [...new Set(value.split(",").filter(Boolean))].slice(0, most);
}

/** The router reads `?q=12` as a number, so everything is made text again. */
export function textOf(value: unknown): string {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return "";
  return String(value).trim();
}
