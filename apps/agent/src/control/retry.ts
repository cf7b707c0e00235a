import { channelLimits } from "@gatehouse/channel";
import { isFault } from "@gatehouse/contract/faults";

/** Why there is no connection, as far as it matters for the next attempt. */
export interface Loss {
  readonly code: string;
  /** It stood, and ended: so did those of all other hosts, perhaps. */
  readonly wasOnline: boolean;
  /** Attempts in a row that came to nothing, this one included. */
  readonly tries: number;
  /** What the server's last welcome has said. */
  readonly windowSeconds: number;
  /** What its `bye` asks for. */
  readonly retryAfter?: number;
}

/** Trying often would not help: somebody has to do something on the server or on this host. */
const slowCodes: ReadonlySet<string> = new Set(["hello.revoked", "identity.cloned"]);
const slowMs = { least: 10 * 60_000, most: 60 * 60_000 };
const firstMs = 2_000;
/** Whoever answers at once and hangs up at once is not asked at once again. */
const leastMs = 200;

/** How long to wait before the next attempt. Each host draws for itself, so that ten thousand do not come at once. */
export function pauseBefore({ code, wasOnline, tries, windowSeconds, retryAfter }: Loss, random: number): number {
  if (slowCodes.has(code)) return Math.round(slowMs.least + random * (slowMs.most - slowMs.least));
  if (retryAfter !== undefined) return Math.round((retryAfter + random * windowSeconds) * 1_000);
  if (wasOnline) return Math.max(leastMs, Math.round(random * windowSeconds * 1_000));
  return growingPause(tries, random);
}

function growingPause(tries: number, random: number): number {
  const most = Math.min(channelLimits.retrySeconds * 1_000, firstMs * 2 ** Math.min(tries - 1, 10));
  return Math.max(leastMs, Math.round(random * most));
}

/** A start of the process: an open change may wait for the proof that the server is reached, and is taken back without it. */
export const firstPauseMs = 0;

/** Somebody on this host is busy, full or being started: what was asked of them can be asked again as it is. */
const laterCodes = ["local.unavailable", "local.limit", "journal.locked", "outbox.unwritable", "outbox.full"] as const;

export function isForLater(error: unknown): boolean {
  return laterCodes.some((code) => isFault(error, code));
}

/** A helper of an earlier version, in the moment of an update: it makes no changes, and there is nothing to say about them. */
export function isUnknownVerb(error: unknown): boolean {
  return isFault(error, "local.verb");
}

/** How long to wait before the helper is asked again, after so many attempts in a row. */
export const pauseForHelper: (tries: number, random: number) => number = growingPause;
