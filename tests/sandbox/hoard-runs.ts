import { readFileSync } from "node:fs";
import type { ActionEnd, StagedArtifact } from "@gatehouse/sandbox";
import { stopMs, stopped } from "../support/stopped.ts";
import { openHealth } from "./health.ts";
import type { Check, PlaceOrder } from "./place-report.ts";
import { boundedHoards, endedHoards } from "./probe-list.ts";
import { comesTrue, findLauncher, markRun, survivors } from "./survivors.ts";

/** Far away: what ends here is ended for what it holds. */
const limits = { deadlineMs: 10 * stopMs, outputBytes: 65_536, stderrBytes: 16_384, memoryBytes: 64 * 1024 * 1024 };
/** So much that the watch has nothing to say: the kernel alone decides. */
const unwatchedBytes = 4 * 1024 * 1024 * 1024;

/**
 * Plugins that make the kernel hold memory. Verdicts are what the kernel or the watch said, never the host's own figures: others use
 * the machine too. Each goes beyond its limit and stays there, so that a slow watch finds it as well.
 */
export async function hoardRuns(order: PlaceOrder, staged: StagedArtifact): Promise<Check[]> {
  const wrong: string[] = [];
  for (let round = 0; round < order.hoards; round += 1) {
    for (const [name, ends] of Object.entries(endedHoards)) {
      const { outcome, reason, peakMemoryBytes } = await stopped(name, hoard(staged, name).ended);
      const mebibytes = Math.round(peakMemoryBytes / 1024 / 1024);
      if (outcome !== ends) wrong.push(`${name} ended as ${outcome} with ${mebibytes} MiB: ${reason}`);
    }
    for (const [name, most] of Object.entries(boundedHoards)) {
      const { action, said, ended } = hoard(staged, name);
      const line = await stopped(name, Promise.race([said, ended.then(({ reason }) => reason)]));
      const held = Number(/^held (\d+) /.exec(line)?.[1] ?? Number.NaN);
      if (!(held > 0 && held <= most)) wrong.push(`${name}, at most ${most}: ${line}`);
      action.kill("it has held enough");
      await ended;
    }
  }
  const kinds = Object.keys(endedHoards).length + Object.keys(boundedHoards).length;
  return [
    {
      name: "whoever makes the kernel hold memory is ended for it, or has a bound",
      why: wrong.length === 0 ? undefined : wrong.slice(0, 3).join(" | "),
      counts: { kinds, times: order.hoards },
    },
    { name: "the kernel ends a plugin before the server when memory is short", why: await diesFirst(order, staged) },
  ];
}

/** In a container with little memory: many small processes fill it, and the server, larger than each of them, goes on. */
export async function crowdedOut(staged: StagedArtifact): Promise<Check> {
  const health = await openHealth();
  try {
    const { said, ended } = hoard(staged, "crowds-out", unwatchedBytes);
    const line = await stopped(
      "a crowd that fills the memory",
      Promise.race([said, ended.then(({ reason }) => reason)]),
    );
    await ended;
    await stopped("a question after the memory was full", health.ask());
    const isPlugins = /^ended [1-9]\d* of 50$/.test(line) || line.startsWith("the kernel ended it");
    const why = isPlugins ? undefined : `nobody was ended: ${line}`;
    return { name: "the server goes on when a plugin has filled the container's memory", why };
  } finally {
    health.close();
  }
}

function hoard(staged: StagedArtifact, name: string, memoryBytes = limits.memoryBytes) {
  const action = staged.start(name, { ...limits, memoryBytes });
  const { promise: said, resolve } = Promise.withResolvers<string>();
  action.lines((line) => resolve(line));
  action.send("");
  const ended: Promise<ActionEnd> = action.onEnd;
  return { action, said, ended };
}

async function diesFirst(order: PlaceOrder, staged: StagedArtifact): Promise<string | undefined> {
  const number = order.runs + 1;
  const action = staged.start("burns-many", { ...limits, environment: markRun(order, number) });
  action.send("");
  try {
    if (!(await comesTrue(() => survivors(order, number).length >= 9))) return "stopped: it was not seen to run";
    const marks = survivors(order, number).map(markOf);
    if (marks.some((mark) => mark !== 1_000)) return `its processes are marked ${marks.join(", ")}`;
    const own = [process.pid, findLauncher() ?? 0].map(markOf);
    return own.every((mark) => mark < 1_000) ? undefined : `server and launcher are marked ${own.join(" and ")}`;
  } finally {
    action.kill("it was seen");
    await action.onEnd;
  }
}

function markOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/oom_score_adj`, "latin1"));
}
