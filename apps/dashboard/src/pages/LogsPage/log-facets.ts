/** A value that lines have, and how many of them. */
export interface Facet {
  readonly value: string;
  /** Undefined while nobody has counted. */
  readonly lines: number | undefined;
}

/** Those with the most lines first. What is chosen has its place also where it has no lines. */
export function facetsOf(counted: readonly Facet[] | undefined, chosen: readonly string[]): readonly Facet[] {
  const known = new Set(counted?.map(({ value }) => value));
  const lines = counted === undefined ? undefined : 0;
  return [...(counted ?? []), ...chosen.filter((value) => !known.has(value)).map((value) => ({ value, lines }))];
}
