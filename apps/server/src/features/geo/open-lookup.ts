import type { Clock } from "@gatehouse/base";
import type { Log } from "../../platform/log/index.ts";
import type { KnownPlaces } from "./known-places.ts";
import { doubled, LeftAlone } from "./left-alone.ts";
import { geoLimits } from "./limits.ts";
import type { LookupAnswer } from "./read-answer.ts";

export interface LookupDeps {
  readonly ask: (address: string, signal: AbortSignal) => Promise<LookupAnswer>;
  readonly places: KnownPlaces;
  /** Whether this is still the address by which the node is to be looked up. */
  readonly isStillWanted: (address: string, node: string) => Promise<boolean>;
  readonly clock: Clock;
  readonly log: Log;
  /** Calls once, later; returns the way to prevent it. */
  readonly after: (ms: number, act: () => void) => () => void;
}

export interface Lookup {
  /** Somebody looks for the place of this address, which is the node's. It is asked for behind the reader's back. */
  want(address: string, node: string): void;
  isWaiting(address: string): boolean;
  /** Whether the last question for it failed. */
  hasFailed(address: string): boolean;
  /** Addresses that are still to be asked for. */
  waiting(): number;
  /** What went wrong with the last question. */
  trouble(): string | null;
  answeredAt(): number | null;
  /** Questions and failures since the start. */
  asked(): number;
  failures(): number;
  /** Resolves when nothing is being asked any more. */
  close(): Promise<void>;
}

interface Want {
  readonly node: string;
  readonly at: number;
}

/**
 * Asks for one address at a time, in the order in which they were wanted, with a distance between questions and a growing one after
 * failures. It moves only while somebody looks: without a want there is neither a question nor a timer.
 */
export function openLookup({ ask, places, isStillWanted, clock, log, after }: LookupDeps): Lookup {
  const wanted = new Map<string, Want>();
  const left = new LeftAlone();
  const closing = new AbortController();
  const { signal } = closing;
  let earliest = Number.NEGATIVE_INFINITY;
  let failedInARow = 0;
  let trouble: string | null = null;
  let answeredAt: number | null = null;
  let [asked, failures] = [0, 0];
  let stopTimer: (() => void) | undefined;
  let running: Promise<void> | undefined;

  const goOn = (): void => {
    if (signal.aborted || running !== undefined || stopTimer !== undefined) return;
    const oldest = clock.monotonic() - geoLimits.wantMs;
    for (const [address, { at }] of wanted) if (at < oldest) wanted.delete(address);
    const [next] = wanted;
    if (next === undefined) return;
    const wait = earliest - clock.monotonic();
    if (wait > 0) {
      stopTimer = after(wait, () => {
        stopTimer = undefined;
        goOn();
      });
      return;
    }
    const [address, { node }] = next;
    running = lookUp(address, node)
      .catch((error: unknown) => log.error("a lookup failed", {}, error))
      .finally(() => {
        wanted.delete(address);
        running = undefined;
        goOn();
      });
  };

  const lookUp = async (address: string, node: string): Promise<void> => {
    // Somebody may have set a place by hand since, or another reader may have wanted it before.
    if ((await places.find([address])).has(address) || !(await isStillWanted(address, node)) || signal.aborted) return;
    asked += 1;
    const answer = await ask(address, signal);
    if (signal.aborted) return;
    if (answer.kind === "failed") noteFailure(address, answer);
    else await noteAnswer(address, answer);
  };

  const noteAnswer = async (address: string, answer: Exclude<LookupAnswer, { kind: "failed" }>): Promise<void> => {
    left.forget(address);
    if (trouble !== null) log.info("the lookup service answers again");
    [failedInARow, trouble, answeredAt] = [0, null, clock.now()];
    earliest = clock.monotonic() + geoLimits.distanceMs;
    await places.keep(address, answer.kind === "found" ? answer.place : null);
  };

  const noteFailure = (
    address: string,
    { reason, retryAfterMs = 0 }: Extract<LookupAnswer, { kind: "failed" }>,
  ): void => {
    const now = clock.monotonic();
    left.note(address, now);
    if (trouble === null) log.warn("the lookup service did not answer as it should", { reason });
    failures += 1;
    failedInARow += 1;
    trouble = reason;
    earliest = now + Math.max(doubled(geoLimits.pauseMs, failedInARow, geoLimits.mostPauseMs), retryAfterMs);
  };

  return {
    want: (address, node) => {
      if (signal.aborted || !left.isDue(address, clock.monotonic())) return;
      if (wanted.size < geoLimits.wanted || wanted.has(address)) wanted.set(address, { node, at: clock.monotonic() });
      goOn();
    },
    isWaiting: (address) => wanted.has(address),
    hasFailed: (address) => left.has(address),
    waiting: () => wanted.size,
    trouble: () => trouble,
    answeredAt: () => answeredAt,
    asked: () => asked,
    failures: () => failures,
    close: async () => {
      closing.abort();
      stopTimer?.();
      wanted.clear();
      await running;
    },
  };
}
