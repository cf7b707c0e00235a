import type { Clock } from "@gatehouse/base";

export interface SharedReadDeps<T> {
  readonly make: () => Promise<T>;
  readonly clock: Pick<Clock, "monotonic">;
  /** Resolves after so many milliseconds. */
  readonly later: (ms: number) => Promise<void>;
  /** What was found may be kept: the passing of time alone makes nothing else of it. */
  readonly mayKeep: (value: T) => boolean;
  /** How long one reading serves while nothing changes. */
  readonly freshMs: number;
  /** Between the beginnings of two readings, whatever changes meanwhile. */
  readonly pauseMs: number;
}

export interface SharedRead<T> {
  /** What a reading found that began after the last change, and not long ago. */
  read(): Promise<T>;
  /** Something of it changed. */
  forget(): void;
}

/** What is dear to read, read once for everybody who asks: one reading at a time, and one that waits for it. */
export function openSharedRead<T>({ make, mayKeep, clock, later, freshMs, pauseMs }: SharedReadDeps<T>): SharedRead<T> {
  let changes = 0;
  let known: { readonly value: T; readonly at: number } | undefined;
  let begunAt = Number.NEGATIVE_INFINITY;
  /** `saw`: how many changes there had been when it began to read; undefined while it still waits. */
  let running: { readonly done: Promise<T>; saw: number | undefined } | undefined;
  let next: Promise<T> | undefined;

  const readNow = async (turn: { saw: number | undefined }): Promise<T> => {
    const wait = begunAt + pauseMs - clock.monotonic();
    if (wait > 0) await later(wait);
    begunAt = clock.monotonic();
    const [saw, at] = [changes, begunAt];
    turn.saw = saw;
    const value = await make();
    if (saw === changes && mayKeep(value)) known = { value, at };
    return value;
  };
  const begin = (): Promise<T> => {
    const turn: { saw: number | undefined } = { saw: undefined };
    const done = readNow(turn).finally(() => {
      running = undefined;
    });
    running = Object.assign(turn, { done });
    return done;
  };
  const beginNext = async (before: Promise<T>): Promise<T> => {
    try {
      await before;
    } catch {
      // Whoever asked for that one is told; this is another.
    }
    next = undefined;
    // Somebody may have begun it in the meantime; that one began late enough.
    return running?.done ?? begin();
  };

  return {
    read: async () => {
      if (known !== undefined && clock.monotonic() - known.at <= freshMs) return known.value;
      if (running === undefined) return begin();
      if (running.saw === undefined || running.saw === changes) return running.done;
      next ??= beginNext(running.done);
      return next;
    },
    forget: () => {
      changes += 1;
      known = undefined;
    },
  };
}
