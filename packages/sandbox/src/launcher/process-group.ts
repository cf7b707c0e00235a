import { setTimeout as delay } from "node:timers/promises";

/** Ends every process of the group at once. The kernel does it under one lock: a fork on the way is caught too. */
export function killGroup(group: number): void {
  try {
    process.kill(-group, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Whether nothing of the group lives on, within the time; kills again what does. */
export async function groupIsGone(group: number, countLiving: () => number, limitMs: number): Promise<boolean> {
  const end = performance.now() + limitMs;
  for (let pauseMs = 1; ; pauseMs *= 2) {
    try {
      process.kill(-group, "SIGKILL");
    } catch {
      return true;
    }
    if (countLiving() === 0) return true;
    if (performance.now() > end) return false;
    await delay(Math.min(pauseMs, 50));
  }
}
