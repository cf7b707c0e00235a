export const lateGoalMs = 100;
/**
 * On a machine that is busy with other things even a bare process is late. An action's end takes a few turns of the processor
 * more than that: the launcher's, the sandbox's, and those of everything that dies.
 */
const quietMs = 20;
const turns = 4;

/** How late everything may be gone at p99, where a bare process that was ended in the same minutes was this late. */
export function allowedLateMs(bareP99: number): number {
  return bareP99 < quietMs ? lateGoalMs : lateGoalMs + turns * bareP99;
}
