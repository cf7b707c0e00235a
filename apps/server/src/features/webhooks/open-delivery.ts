import type { Clock } from "@gatehouse/base";
import type { WebhookRecord } from "@gatehouse/contract/records";
import type { AuditRecord } from "@gatehouse/store";
import type { WebhookAttempt } from "@gatehouse/store/telemetry";
import { deliveryLimits } from "./limits.ts";
import { makeNotice, type Notice } from "./make-notice.ts";
import type { SendResult } from "./send-notice.ts";

export interface DeliveryDeps {
  readonly send: (
    webhook: WebhookRecord,
    what: { readonly notice: Notice; readonly skipped: number },
    signal: AbortSignal,
  ) => Promise<SendResult>;
  readonly keepAttempt: (attempt: WebhookAttempt) => void;
  /** Says in the audit log that it fails now, or takes notices again. Never throws. */
  readonly sayFailing: (id: string, reason: string) => Promise<void>;
  readonly sayWell: (id: string) => Promise<void>;
  readonly clock: Clock;
  /** Calls once, later; returns the way to prevent it. */
  readonly after: (ms: number, act: () => void) => () => void;
  readonly random: () => number;
}

/** The way of the notices to one webhook. */
export interface Delivery {
  /** The next entry of the log. Most of them are no news. */
  offer(entry: AuditRecord): void;
  /** The record as it is now. */
  renew(record: WebhookRecord): void;
  /** The receiver has just answered well: what waits for its next attempt goes now. */
  wake(): void;
  waiting(): number;
  /** When it took one last. */
  takenAt(): number | null;
  /** Up to here in the log nothing is to be delivered any more. */
  doneTo(readTo: number): number;
  close(): Promise<void>;
}

/**
 * One notice at a time, in the order of the log; the next waits until the receiver took the one before, or it was given up. What is
 * under way when the server stops comes again: its id is the same.
 */
export function openDelivery(
  deps: DeliveryDeps,
  start: { readonly record: WebhookRecord; readonly doneTo: number; readonly takenAt: number | null },
): Delivery {
  const { clock, after } = deps;
  const queue: AuditRecord[] = [];
  const closing = new AbortController();
  let { record, takenAt } = start;
  let [attempt, skipped] = [0, 0];
  let stopTimer: (() => void) | undefined;
  let running: Promise<void> | undefined;

  const endAttempts = (): void => {
    attempt = 0;
    stopTimer?.();
    stopTimer = undefined;
  };

  const goOn = (): void => {
    if (closing.signal.aborted || running !== undefined || stopTimer !== undefined) return;
    const next = takeNext();
    if (next === undefined) return;
    running = tryOnce(next).finally(() => {
      running = undefined;
      goOn();
    });
  };

  const takeNext = (): Notice | undefined => {
    for (let [head] = queue; head !== undefined; [head] = queue) {
      const notice = makeNotice(head, record.events);
      const isOld = head.at < clock.now() - deliveryLimits.oldestMs;
      if (notice !== undefined && !isOld) return notice;
      queue.shift();
      attempt = 0;
      if (isOld) skipped += 1;
    }
    return undefined;
  };

  const tryOnce = async (notice: Notice): Promise<void> => {
    attempt += 1;
    const own = { attempt, skipped };
    const began = clock.monotonic();
    const to = record;
    const result = await deps.send(to, { notice, skipped }, closing.signal);
    // Whoever stops has not learned whether it arrived: it comes again.
    if (closing.signal.aborted) return;
    const ms = Math.round(clock.monotonic() - began);
    const isLast = own.attempt > deliveryLimits.pausesMs.length;
    const keep = () => deps.keepAttempt(attemptOf(to.id, notice, own.attempt, result, { at: clock.now(), ms, isLast }));
    if (result.isTaken) {
      keep();
      skipped = Math.max(0, skipped - own.skipped);
      takenAt = clock.now();
      endHead(notice);
      if (record.failing !== null) await deps.sayWell(to.id);
      return;
    }
    const hasTurned = own.attempt >= deliveryLimits.failingAfter && record.failing === null;
    if (hasTurned) await deps.sayFailing(to.id, result.reason);
    keep();
    // Meanwhile it may have been changed, and then it begins anew.
    if (attempt !== own.attempt) return;
    if (isLast) {
      skipped += 1;
      endHead(notice);
    } else pause(deliveryLimits.pausesMs[own.attempt - 1] ?? 0);
  };

  const endHead = ({ position }: Notice): void => {
    attempt = 0;
    if (queue[0]?.position === position) queue.shift();
  };

  const pause = (ms: number): void => {
    stopTimer = after(ms * (1 + deliveryLimits.jitter * deps.random()), () => {
      stopTimer = undefined;
      goOn();
    });
  };

  return {
    offer: (entry) => {
      if (!record.enabled || entry.position <= start.doneTo || entry.at < record.since) return;
      if (makeNotice(entry, record.events) === undefined) return;
      queue.push(entry);
      if (queue.length > deliveryLimits.waiting) {
        // The first may be under way; it ends by itself. A pause goes on: news must not call a receiver that fails more often.
        queue.splice(running === undefined ? 0 : 1, 1);
        skipped += 1;
      }
      goOn();
    },
    renew: (next) => {
      const isSame = next.url === record.url && next.secret === record.secret && next.enabled === record.enabled;
      record = next;
      if (!next.enabled) {
        queue.length = 0;
        skipped = 0;
      }
      if (!isSame) endAttempts();
      goOn();
    },
    wake: () => {
      if (stopTimer === undefined) return;
      stopTimer();
      stopTimer = undefined;
      goOn();
    },
    waiting: () => queue.length,
    takenAt: () => takenAt,
    doneTo: (readTo) => {
      const [head] = queue;
      return head === undefined ? readTo : head.position - 1;
    },
    close: async () => {
      closing.abort();
      stopTimer?.();
      await running;
    },
  };
}

export function attemptOf(
  webhook: string,
  { id, position, event }: Notice,
  attempt: number,
  result: SendResult,
  { at, ms, isLast }: { readonly at: number; readonly ms: number; readonly isLast: boolean },
): WebhookAttempt {
  return {
    webhook,
    notice: id,
    position,
    event,
    at,
    attempt,
    outcome: result.isTaken ? "taken" : isLast ? "given_up" : "failed",
    ...(result.status !== undefined && { status: result.status }),
    ...(!result.isTaken && { error: result.reason.slice(0, 200) }),
    ms,
  };
}
