const deepest = 5;

/**
 * An error with its stack and the causes behind it. Only names, messages and stacks: other properties of an error may
 * hold a request with its credentials.
 */
export function describeCause(cause: unknown, depth = 0): string {
  if (!(cause instanceof Error)) return typeof cause === "string" ? cause : `thrown ${typeof cause}`;
  const own = cause.stack ?? `${cause.name}: ${cause.message}`;
  const inner = cause instanceof AggregateError ? [...cause.errors, cause.cause] : [cause.cause];
  const described = inner.filter((error) => error !== undefined && error !== null);
  if (described.length === 0) return own;
  if (depth >= deepest) return `${own}\ncaused by more than is shown`;
  return [own, ...described.map((error) => `caused by ${describeCause(error, depth + 1)}`)].join("\n");
}
