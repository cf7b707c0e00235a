import { EgressError } from "./egress-error.ts";

export interface Deadline extends Disposable {
  /** Aborted with an `EgressError` that says why. */
  readonly signal: AbortSignal;
}

/** Ends when its time is up or when `outer` ends, whichever comes first. */
export function openDeadline(ms: number, message: string, outer?: AbortSignal): Deadline {
  const controller = new AbortController();
  const end = () => {
    const { reason } = outer ?? {};
    controller.abort(reason instanceof EgressError ? reason : new EgressError("aborted", "the request was given up"));
  };
  const timer = setTimeout(() => controller.abort(new EgressError("timeout", message)), ms);
  if (outer?.aborted === true) end();
  else outer?.addEventListener("abort", end, { once: true });
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      outer?.removeEventListener("abort", end);
    },
  };
}

/** The promise, or the reason of the signal when that comes first. What the promise becomes then interests nobody. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
