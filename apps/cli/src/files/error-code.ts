/** `ENOENT` and its like; undefined for what the system did not refuse. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
