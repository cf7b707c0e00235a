import { expect } from "vitest";
import type { TelemetryCase } from "./prepare-cases.ts";
import { telemetryLimits, type WebhookAttempt } from "./telemetry.ts";

const begin = Date.UTC(2026, 0, 1);

function attemptAt(position: number, more: Partial<WebhookAttempt> = {}): WebhookAttempt {
  return {
    webhook: "webhook_a",
    notice: String(position),
    position,
    event: "alert.opened",
    at: begin + position,
    attempt: 1,
    outcome: "taken",
    status: 204,
    ms: 12,
    ...more,
  };
}

/** What every adapter promises about attempts to deliver. */
export function attemptCases(withTelemetry: TelemetryCase): void {
  withTelemetry(
    "an attempt that is kept is found again, newest first, also after a restart",
    async (telemetry, _, { reopen }) => {
      const { status, ...unanswered } = attemptAt(7, {
        outcome: "failed",
        error: "the host did not answer: ECONNRESET",
      });
      expect(status).toBe(204);
      const all = [attemptAt(3), unanswered, attemptAt(7, { attempt: 2 })];
      for (const one of all) expect(await telemetry.keepAttempt(one)).toBe(true);
      await telemetry.keepAttempt(attemptAt(1, { webhook: "webhook_b" }));
      expect(await telemetry.attemptsOf("webhook_a")).toEqual(all.toReversed());
      expect(await telemetry.attemptsOf("webhook_c")).toEqual([]);
      await telemetry.close();
      expect(await telemetry.keepAttempt(attemptAt(8))).toBe(false);
      expect(await telemetry.attemptsOf("webhook_a")).toEqual([]);
      expect(await reopen().attemptsOf("webhook_a")).toEqual(all.toReversed());
    },
  );

  withTelemetry("what has no form or no room is not kept, and that is said", async (telemetry, around) => {
    const long = "x".repeat(telemetryLimits.nameChars + 1);
    const formless = [{ webhook: "" }, { event: long }, { error: long }, { position: Number.NaN }, { ms: -1 }];
    for (const more of formless) expect(await telemetry.keepAttempt(attemptAt(1, more))).toBe(false);
    around.isNearlyFull = true;
    expect(await telemetry.keepAttempt(attemptAt(1))).toBe(false);
    expect(await telemetry.attemptsOf("webhook_a")).toEqual([]);
  });

  withTelemetry(
    "of one webhook the newest stay, and of all of them together",
    async (telemetry) => {
      const positionsOf = async (webhook: string) =>
        (await telemetry.attemptsOf(webhook)).map(({ position }) => position);
      for (let n = 1; n <= 6; n += 1) await telemetry.keepAttempt(attemptAt(n));
      expect(await positionsOf("webhook_a")).toEqual([6, 5, 4]);
      for (const webhook of ["webhook_b", "webhook_c"]) {
        for (let n = 1; n <= 2; n += 1) await telemetry.keepAttempt(attemptAt(n, { webhook }));
      }
      expect(await positionsOf("webhook_a")).toEqual([6]);
      expect(await positionsOf("webhook_c")).toEqual([2, 1]);
    },
    { limits: { attemptsOfOne: 3, attempts: 5 } },
  );
}
