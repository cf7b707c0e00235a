/** Freezes a JSON value in place, to its depth. */
export function deepFreeze(value: object | null): void {
  if (value === null) return;
  Object.freeze(value);
  for (const name in value) {
    const inner: unknown = value[name as keyof typeof value];
    if (typeof inner === "object") deepFreeze(inner);
  }
}
