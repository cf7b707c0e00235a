import { monitorEventLoopDelay } from "node:perf_hooks";
import type { StagedArtifact } from "@gatehouse/sandbox";
import type { PlaceOrder, StormFigures } from "./place-report.ts";
import { storms } from "./probe-list.ts";

const deadlineMs = 200;

/** Crowds that wake each other, two actions of them at once: how long the server stands still, and how late they are gone. */
export async function stormRuns(order: PlaceOrder, staged: StagedArtifact): Promise<StormFigures> {
  const loop = monitorEventLoopDelay({ resolution: 1 });
  loop.enable();
  const surprises: string[] = [];
  let runs = 0;
  let late = { name: "none", ms: 0 };
  let stall = { name: "none", ms: 0 };
  for (let round = 0; round < order.storms; round += 1) {
    for (const [name, allowed] of Object.entries(storms)) {
      loop.reset();
      const one = async (): Promise<void> => {
        const began = performance.now();
        const limits = { deadlineMs, outputBytes: 65_536, stderrBytes: 16_384, memoryBytes: 64 * 1024 * 1024 };
        const action = staged.start(name, limits);
        action.send("");
        const { outcome, reason } = await action.onEnd;
        const ms = performance.now() - began - deadlineMs;
        if (ms > late.ms) late = { name, ms };
        if (!allowed.includes(outcome)) surprises.push(`${name} ended as ${outcome}: ${reason}`);
      };
      await Promise.all([one(), one()]);
      runs += 2;
      if (loop.max / 1e6 > stall.ms) stall = { name, ms: loop.max / 1e6 };
    }
  }
  loop.disable();
  return { runs, late, stall, surprises };
}
