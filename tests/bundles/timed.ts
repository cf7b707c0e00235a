/** A verdict that takes longer than this lets a stranger's file hold up a start. */
export const slowMs = 100;

/**
 * Runs something and says how long it took. What was slow is run again: a busy machine interrupts anything once, and only
 * what is slow each time is slow.
 */
export async function timed<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  let best = Infinity;
  let value: T;
  let runs = 0;
  do {
    const began = performance.now();
    value = await work();
    best = Math.min(best, performance.now() - began);
    runs += 1;
  } while (best > slowMs / 2 && runs < 4);
  return { value, ms: best };
}
