/**
 * No clock decides a test. This one only stops what hangs: it is far more than a hundred times what anything takes that is
 * waited for (machines that others starve were fifty times as slow), and whoever meets it says `stopped`.
 */
export const stopMs = 300_000;

/** Waits for `work`; says that it was stopped, and what it was, when it does not end. */
export async function stopped<T>(what: string, work: Promise<T>, limitMs = stopMs): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`stopped after ${limitMs / 1_000} s: ${what}`)), limitMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
