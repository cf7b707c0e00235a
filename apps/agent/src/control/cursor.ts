/** Where the outbox stands: the highest that the server has, and the highest there is. */
export interface Cursor {
  readonly acked: number;
  readonly last: number;
}

/** Nothing is kept for the server yet: what an agent says of itself now is said anew on every connection. */
export function readCursor(): Cursor {
  return { acked: 0, last: 0 };
}
