import { Session } from "node:inspector/promises";

/** Does some work and says how many steps it took. */
export type StepCounter = <T>(work: () => Promise<T>) => Promise<{ readonly value: T; readonly steps: number }>;

/**
 * Counts what work costs without a clock: how often every block of our sources is run, and how many characters patterns
 * have to look at. The same work takes the same steps on every machine. Counting slows down all work in this thread, so it
 * is switched off at the end.
 */
export async function withSteps<T>(use: (count: StepCounter) => Promise<T>): Promise<T> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  const exec = Reflect.get(RegExp.prototype, "exec");
  let characters = 0;
  function countedExec(this: RegExp, text: string): RegExpExecArray | null {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const match = exec.call(this, text);
    // A sticky pattern looks at one place only, any other at all up to its match.
    const end = match === null ? (this.sticky ? from + 1 : text.length) : match.index + match[0].length;
    characters += end - from;
    return match;
  }
  Reflect.set(RegExp.prototype, "exec", countedExec);
  try {
    return await use(async (work) => {
      await blocksRun(session);
      characters = 0;
      const value = await work();
      const given = characters;
      return { value, steps: given + (await blocksRun(session)) };
    });
  } finally {
    Reflect.set(RegExp.prototype, "exec", exec);
    await session.post("Profiler.stopPreciseCoverage");
    session.disconnect();
  }
}

/** How often any block was run since this was last asked. */
async function blocksRun(session: Session): Promise<number> {
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const counts = result
    .filter(({ url }) => url.startsWith("file:"))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)));
  return counts.reduce((sum, count) => sum + count, 0);
}
