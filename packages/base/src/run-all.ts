/** Runs every step in order, even after one failed; then throws what failed. For clean-up, where one stuck step must not protect the next. */
export async function runAll(steps: ReadonlyArray<() => unknown>): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (failure) {
      failures.push(failure);
    }
  }
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new AggregateError(failures, `${failures.length} of ${steps.length} steps failed`);
}
