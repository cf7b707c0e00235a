import { geoLimits } from "./limits.ts";

/** How long a service wants to be left alone: seconds or a date, within our bounds. Undefined when it does not say so. */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^[0-9]{1,9}$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), geoLimits.mostRetryAfterMs) : undefined;
}
