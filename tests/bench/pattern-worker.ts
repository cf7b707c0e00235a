import { parentPort } from "node:worker_threads";
import { type Attack, textOf } from "../security/support/pattern-attacks.ts";

export interface TimingTask {
  readonly source: string;
  readonly flags: string;
  readonly attacks: readonly Attack[];
  readonly length: number;
  /** An attack that took longer is told at once; the others of this pattern are left out. */
  readonly capMs: number;
}

export type TimingReply = { readonly slowest: number } | { readonly slow: Attack; readonly ms: number };

/** Runs one pattern against texts, in a thread of its own so that it can be stopped. */
parentPort?.on("message", (task: TimingTask) => {
  const pattern = new RegExp(task.source, task.flags);
  let slowest = 0;
  for (const attack of task.attacks) {
    const text = textOf(attack, task.length);
    let ms = timeOf(pattern, text);
    // Again when it was close: the first time, a pattern is also compiled.
    for (let round = 0; round < 2 && ms > task.capMs && ms < 10 * task.capMs; round += 1)
      ms = Math.min(ms, timeOf(pattern, text));
    slowest = Math.max(slowest, ms);
    if (ms > task.capMs) return parentPort?.postMessage({ slow: attack, ms } satisfies TimingReply);
  }
  return parentPort?.postMessage({ slowest } satisfies TimingReply);
});

/** Time of the processor, not of the clock: the machine may be busy with something else. */
function timeOf(pattern: RegExp, text: string): number {
  const started = process.threadCpuUsage();
  // As it is used: a global pattern goes through the whole text, another one looks once.
  if (pattern.global) text.replace(pattern, "");
  else pattern.test(text);
  pattern.lastIndex = 0;
  const { user, system } = process.threadCpuUsage(started);
  return (user + system) / 1_000;
}
