/** Several rows as one list. Long lists of values are written in rows, so that they stay readable. */
export function joined<T>(...rows: readonly (readonly T[])[]): T[] {
  return rows.flat();
}
