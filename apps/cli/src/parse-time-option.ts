import { UsageError } from "@gatehouse/command-line";

/** A day, or a moment that says in which zone it is meant: a time without one is a riddle. */
const timeForm = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** `2026-11-15` (its beginning in UTC) or `2026-11-15T08:30:00Z`, in milliseconds. */
export function parseTimeOption(text: string, option: string, topic: string): number {
  const at = timeForm.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw new UsageError(`${option} takes 2026-11-15 or 2026-11-15T08:30:00Z; found ${JSON.stringify(text)}`, topic);
}
