import type { PlanState, TaskState } from "@gatehouse/contract";
import type { PlanWave, PlanWaves } from "@gatehouse/contract/routes";
import type { State } from "../../ui/StateMark.tsx";
import { sayTask } from "./task-words.ts";

type Counts = PlanWave["tasks"];

/** How the wall of a wave stands: `barred` is shut again by a halt, and everything behind it was sent nothing. */
export type WallState = "passed" | "open" | "shut" | "barred";

export function wallOf({ state }: Pick<PlanWave, "state">, plan: PlanState): WallState {
  if (state === "ended") return "passed";
  if (state === "open") return "open";
  return plan === "running" ? "shut" : "barred";
}

/** "Canary", "Wave 2": the first is a canary where hosts go before all others. */
export function nameWave({ kind, index }: Pick<PlanWave, "kind" | "index">): string {
  return kind === "canary" ? "Canary" : `Wave ${numbered(index + 1)}`;
}

/** Which hosts it has: "tag fra1, 4 hosts". */
export function sayWaveHosts({ kind, tag, nodes }: Pick<PlanWave, "kind" | "tag" | "nodes">): string {
  return kind === "tag" ? `tag ${tag}, ${hostCount(nodes)}` : hostCount(nodes);
}

/** What became of it so far; of one that is shut, what it waits for. */
export function sayWave(wave: PlanWave, waves: readonly PlanWave[], plan: PlanState): string {
  const wall = wallOf(wave, plan);
  if (wall === "barred") return "shut, nothing was sent";
  const before = waves.find(({ index, state }) => index < wave.index && state !== "ended");
  if (wall === "shut") return before === undefined ? "shut" : `shut until ${nameWave(before).toLowerCase()} has ended`;
  return sayCounts(wave.tasks);
}

export function markOfWave(wave: Pick<PlanWave, "state" | "tasks">): State {
  if (wave.state === "shut") return "idle";
  if (wave.state === "open") return "run";
  return countOf(wave.tasks, unkeptStates) > 0 ? "warn" : "ok";
}

/** Everything of a plan in one count. */
export function countAll(waves: readonly Pick<PlanWave, "tasks">[]): Counts {
  const all: Partial<Record<TaskState, number>> = {};
  for (const { tasks } of waves) {
    for (const [state, count] of Object.entries(tasks) as [TaskState, number][]) all[state] = (all[state] ?? 0) + count;
  }
  return all;
}

/** Ends without the change, the louder ones later. `unknown` is none yet, and as loud. */
export const unkeptStates = [
  "stale",
  "refused",
  "failed_before_change",
  "rolled_back",
  "unknown",
  "failed_after_change",
] as const satisfies readonly TaskState[];

/** "198 confirmed, 1 rolled back, 40 under way": what has ended, what is under way, what waits. */
function sayCounts(tasks: Counts): string {
  const words = drawnStates.map((state) => ({ count: tasks[state] ?? 0, word: wordOf(state) }));
  return words
    .filter(({ count }) => count > 0)
    .map(({ count, word }) => `${numbered(count)} ${word}`)
    .join(", ");
}

function wordOf(state: TaskState): string {
  return state === "sent" ? "under way" : sayTask({ state, code: null }).word.toLowerCase();
}

export function countOf(tasks: Counts, states: readonly TaskState[]): number {
  return states.reduce((sum, state) => sum + (tasks[state] ?? 0), 0);
}

/** When the plan halts by itself, and what that means. */
export function sayHaltRule({ items, halt }: PlanWaves): string {
  const after = "Then nothing more is sent; hosts under way confirm or restore by themselves.";
  if (halt === null) return "Only by hand. Then nothing more is sent; hosts under way end by themselves.";
  const when = whenHalts(halt, items.length > 1);
  return `${when.charAt(0).toUpperCase()}${when.slice(1)}. ${after}`;
}

/** After "it halts". */
export function whenHalts(halt: NonNullable<PlanWaves["halt"]>, isInWaves: boolean): string {
  const where = isInWaves ? " of one wave" : "";
  if ("percent" in halt) return `when ${halt.percent} % of the hosts${where} have not kept the change`;
  if (halt.after === 1) return "at the first host that has not kept the change";
  return `at ${numbered(halt.after)} hosts${where} that have not kept the change`;
}

/** Cells that one plan is drawn with at most: of more hosts, each stands for several. */
const mostCells = 2_000;

export function hostsOfCell(hosts: number): number {
  return Math.ceil(hosts / mostCells);
}

/** In the order in which they are drawn and counted. The server counts a host that is making the change as sent. */
const drawnStates: readonly TaskState[] = ["applied", ...unkeptStates, "sent", "queued"];

/** Of the hosts of one cell the loudest is shown: the later one here. */
const loudness: readonly (TaskState | null)[] = [null, "queued", "applied", "sent", ...unkeptStates];

/** One cell after the other, each with the loudest state of the hosts that it stands for. Hosts without a task come last, as `null`. */
export function cellsOf({ tasks, nodes }: Pick<PlanWave, "tasks" | "nodes">, hosts: number): (TaskState | null)[] {
  const states: (TaskState | null)[] = drawnStates.flatMap((state) => Array<TaskState>(tasks[state] ?? 0).fill(state));
  while (states.length < nodes) states.push(null);
  const cells: (TaskState | null)[] = [];
  for (let at = 0; at < states.length; at += hosts) cells.push(loudest(states.slice(at, at + hosts)));
  return cells;
}

function loudest(states: readonly (TaskState | null)[]): TaskState | null {
  return states.reduce((loud, state) => (loudness.indexOf(state) > loudness.indexOf(loud) ? state : loud), null);
}

function hostCount(count: number): string {
  return count === 1 ? "1 host" : `${numbered(count)} hosts`;
}

function numbered(count: number): string {
  return count.toLocaleString("en-GB");
}
