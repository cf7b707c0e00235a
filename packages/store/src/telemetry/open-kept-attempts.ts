import type { KeptPlacesDeps } from "./open-kept-places.ts";
import type { Telemetry, TelemetryLimits, WebhookAttempt } from "./telemetry.ts";

/** Where attempts are kept: what is different between the adapters. */
export interface AttemptRows {
  keepAttempt(attempt: WebhookAttempt, ofOne: number, ofAll: number): Promise<void>;
  attemptsOf(webhook: string): Promise<readonly WebhookAttempt[]>;
}

export interface KeptAttemptsDeps extends Pick<KeptPlacesDeps, "mayGrow" | "attempt" | "isOpen"> {
  readonly rows: AttemptRows;
  readonly limits: TelemetryLimits;
}

export interface KeptAttempts extends Pick<Telemetry, "keepAttempt" | "attemptsOf"> {
  /** Resolves when every attempt that came before is kept or refused. */
  readonly landed: () => Promise<void>;
}

/** Attempts to deliver to webhooks: a few a minute, written when they come, so that a restart knows what was taken. */
export function openKeptAttempts({ rows, mayGrow, attempt, isOpen, limits }: KeptAttemptsDeps): KeptAttempts {
  const underWay = new Set<Promise<boolean>>();
  return {
    keepAttempt: async (one) => {
      if (!isOpen() || !mayGrow() || !hasForm(one, limits.nameChars)) return false;
      const { attemptsOfOne, attempts } = limits;
      const kept = attempt("keeping a delivery", () => rows.keepAttempt(one, attemptsOfOne, attempts));
      underWay.add(kept);
      return kept.finally(() => underWay.delete(kept));
    },
    attemptsOf: async (webhook) => {
      let found: readonly WebhookAttempt[] = [];
      if (isOpen()) {
        await attempt("reading deliveries", async () => {
          found = await rows.attemptsOf(webhook);
        });
      }
      return found;
    },
    landed: async () => {
      await Promise.all(underWay);
    },
  };
}

function hasForm(one: WebhookAttempt, mostChars: number): boolean {
  const { webhook, notice, event, error = "-", position, at, attempt, status = 0, ms } = one;
  return (
    [webhook, notice, event, error].every((text) => text.length > 0 && text.length <= mostChars) &&
    [position, at, attempt, status, ms].every((number) => Number.isSafeInteger(number) && number >= 0)
  );
}
