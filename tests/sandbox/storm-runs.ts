import { monitorEventLoopDelay } from "node:perf_hooks";
import type { StagedArtifact } from "@gatehouse/sandbox";
import { stopMs, stopped } from "../support/stopped.ts";
import { openHealth } from "./health.ts";
import type { PlaceOrder, StormFigures } from "./place-report.ts";
import { storms } from "./probe-list.ts";
import { comesTrue, markRun, survivors } from "./survivors.ts";

const deadlineMs = 200;
/** Of the storm that rages on until the server has answered: far away, so that no answer comes after it. */
const farMs = 10 * stopMs;
const questions = 10;
const limits = { outputBytes: 65_536, stderrBytes: 16_384, memoryBytes: 64 * 1024 * 1024 };

/**
 * Crowds that wake each other, two actions of them at once. The first is ended by its deadline while the second rages; the
 * second has to go on until the server has answered some questions.
 */
export async function stormRuns(order: PlaceOrder, staged: StagedArtifact): Promise<StormFigures> {
  const loop = monitorEventLoopDelay({ resolution: 1 });
  const health = await openHealth();
  const surprises: string[] = [];
  const unanswered: string[] = [];
  let runs = 0;
  let survived = 0;
  let late = { name: "none", ms: 0 };
  let stall = { name: "none", ms: 0 };

  const raise = async (name: string, allowed: readonly string[]): Promise<void> => {
    const start = (ms: number) => {
      const number = runs;
      runs += 1;
      const action = staged.start(name, { ...limits, deadlineMs: ms, environment: markRun(order, number) });
      action.send("");
      const due = { at: performance.now() + ms };
      const ended = action.onEnd.then(({ outcome, reason }) => {
        survived += survivors(order, number).length;
        late = worse(late, { name, ms: performance.now() - due.at });
        return { outcome, reason };
      });
      return { action, due, ended, number };
    };
    const raging = start(farMs);
    let isRaging = true;
    void raging.ended.then(() => (isRaging = false));
    const first = await start(deadlineMs).ended;
    if (!allowed.includes(first.outcome)) surprises.push(`${name} ended as ${first.outcome}: ${first.reason}`);
    // What is seen while it rages is what must not be seen afterwards. It may not have begun yet.
    const isSeen = () => !isRaging || survivors(order, raging.number).length > 0;
    if (!(await comesTrue(isSeen))) surprises.push(`stopped: ${name} was not seen to rage`);
    for (let question = 0; question < questions; question += 1)
      await stopped(`a question during ${name}`, health.ask()).catch((error: Error) => unanswered.push(error.message));
    raging.due.at = performance.now();
    raging.action.kill("it has raged long enough");
    const second = await raging.ended;
    // It goes on until it is told to end, except one that meets a limit of its own.
    if (second.outcome !== "killed") surprises.push(`${name} ended as ${second.outcome}: ${second.reason}`);
    else if (!allowed.includes("killed") && second.reason !== "it has raged long enough")
      surprises.push(`${name} was killed: ${second.reason}`);
  };

  loop.enable();
  for (let round = 0; round < order.storms; round += 1) {
    for (const [name, allowed] of Object.entries(storms)) {
      loop.reset();
      await raise(name, allowed);
      stall = worse(stall, { name, ms: loop.max / 1e6 });
    }
  }
  loop.disable();
  health.close();
  const names = order.storms > 0 ? Object.keys(storms) : [];
  return { runs, names, unanswered, survivors: survived, surprises, late, stall };
}

type Worst = StormFigures["late"];

function worse(one: Worst, other: Worst): Worst {
  return other.ms > one.ms ? other : one;
}
