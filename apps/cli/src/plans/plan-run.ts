import { count } from "@gatehouse/command-line";
import {
  isPlanEnd,
  type PlanState,
  splitServiceWords,
  taskStanding,
  type TaskState,
  type TaskStepName,
  taskSteps,
} from "@gatehouse/contract";
import type { Plan, PlanTask, PlanWave } from "@gatehouse/contract/routes";
import { lastDigits } from "../nodes/say-node.ts";
import { judgeOutcome, type OutcomeVerdict, type PlanIdentity } from "./judge-outcome.ts";
import { sayWave } from "./wave-words.ts";

/** A plan with its tasks, as they were seen together. */
export interface SeenRun {
  readonly plan: Plan;
  readonly tasks: readonly PlanTask[];
  /** Of a plan that runs in several. */
  readonly waves?: readonly PlanWave[];
}

export type RunChange =
  | { readonly kind: "plan"; readonly words: string }
  | { readonly kind: "wave"; readonly words: string; readonly wave: PlanWave }
  | {
      readonly kind: "task";
      readonly words: string;
      /** What a service said that fell, and what was read, for people. */
      readonly lines: readonly string[];
      readonly task: PlanTask;
      readonly verdict: OutcomeVerdict;
    };

/** What is different now. Without anything before, where every task stands. */
export function runChanges(identity: PlanIdentity, before: SeenRun | undefined, seen: SeenRun): RunChange[] {
  const known = new Map(before?.tasks.map((task) => [task.id, taskStanding(task.state, task.step)]));
  const moved = seen.tasks.filter((task) => known.get(task.id) !== taskStanding(task.state, task.step));
  return [
    ...moved.map((task) => taskChange(identity, task)),
    ...waveChanges(before?.waves, seen.waves),
    ...planChange(before?.plan.state, seen.plan),
  ];
}

/** Of waves that nothing was sent to there is nothing to say. */
function waveChanges(before: SeenRun["waves"] = [], waves: SeenRun["waves"] = []): RunChange[] {
  const moved = waves.filter(({ index, state }) => state !== (before[index]?.state ?? "shut"));
  return moved.map((wave) => ({ kind: "wave", words: sayWave(wave, waves.length), wave }));
}

function taskChange(identity: PlanIdentity, task: PlanTask): RunChange {
  const verdict = judgeOutcome(task, identity);
  const lines = [...serviceLines(task, verdict), ...sayRead(verdict)];
  return { kind: "task", words: sayTask(task, verdict), lines, task, verdict };
}

function planChange(before: PlanState | undefined, { id, state, reason }: Plan): RunChange[] {
  if (before === state) return [];
  const isWaiting = waiting.includes(state);
  if (before === undefined && !isWaiting) return [];
  const until = `: nobody has started it yet, and gatehouse plan apply ${lastDigits(id)} does`;
  return [{ kind: "plan", words: `the plan is ${state}${isWaiting ? until : whyHalted({ state, reason })}` }];
}

function whyHalted({ state, reason }: Pick<Plan, "state" | "reason">): string {
  return state === "halted" && reason !== null ? `: ${reason}` : "";
}

/** States of a plan in which no host has a task. */
const waiting: readonly PlanState[] = ["draft", "linted", "in_review", "approved"];

/** Tasks that a host has begun with: their ends are still to come, also when the plan was halted. */
const begun: readonly TaskState[] = ["sent", ...taskSteps];

/** Whether nothing more happens by itself. */
export function isRunOver({ plan, tasks }: SeenRun): boolean {
  if (isPlanEnd(plan.state)) return true;
  return plan.state === "halted" && !tasks.some(({ state }) => begun.includes(state));
}

/** How it ended, in one line. All is well when every host of the plan has signed that it applied it. */
export function sayRunEnd(
  identity: PlanIdentity,
  { plan, tasks }: SeenRun,
): { readonly ok: boolean; readonly words: string } {
  const verdicts = tasks.map((task) => judgeOutcome(task, identity).word);
  const proved = tasks.filter(({ state }, at) => state === "applied" && verdicts[at] === "host");
  const unproven = verdicts.filter((word) => word === "unproven").length;
  const all = identity.nodes.length;
  // By its place, because a server could show one host twice and another one not at all.
  const applied = new Set(proved.map(({ index }) => index)).size;
  const ok = plan.state === "done" && applied === all && unproven === 0;
  const hosts = ok ? "every host applied it" : `${applied} of ${all} hosts applied it, ${all - applied} did not`;
  const claims = unproven === 0 ? "" : `; UNPROVEN: ${unproven}, of which the server says what no host has signed`;
  const absent = tasks.some(({ code }) => code === "apply.absent");
  const because = absent ? "; some hosts found nothing wrong and cannot make such a change yet" : "";
  const why = whyHalted(plan);
  const head = `The plan is ${plan.state}${why}${why === "" ? ":" : ";"} ${hosts}`;
  return { ok, words: `${head}${claims}${because}` };
}

const stepWords: Readonly<Record<TaskStepName, string>> = {
  validated: "validated: the host has taken the change",
  snapshotted: "snapshotted: what is there now is kept",
  armed: "armed: the host takes the change back by itself unless it is confirmed in time",
  applying: "applying",
  checking: "checking: the host looks at the change and waits for a new connection to its server",
};

/** Where a task stands, and whose word that is. */
export function sayTask(task: PlanTask, verdict: OutcomeVerdict): string {
  return `${task.name} (${lastDigits(task.node)})  ${sayStanding(task, verdict)}`;
}

export function sayStanding(task: PlanTask, verdict: OutcomeVerdict): string {
  if (verdict.word === "unproven") return `UNPROVEN: the server says ${task.state}, and ${verdict.why}`;
  const state = taskStanding(task.state, task.step);
  const step = taskSteps.find((each) => each === state);
  if (step !== undefined) return stepWords[step];
  const { code, detail } = verdict.word === "host" ? verdict : task;
  const says = detail === null ? null : splitServiceWords(detail).says;
  const why = [state, code, says].filter((part) => part !== null).join(": ");
  if (verdict.word === "server") return why;
  const foreign = verdict.foreign.length === 0 ? "" : `; somebody else had changed ${verdict.foreign.join(", ")}`;
  return `${why}${foreign} (the host's own word)`;
}

/** The last that a service said which fell; none where the host does not speak of one, or nobody has signed it. */
export function serviceLines(task: PlanTask, verdict: OutcomeVerdict): readonly string[] {
  const { detail } = verdict.word === "host" ? verdict : task;
  return verdict.word === "unproven" || detail === null ? [] : splitServiceWords(detail).lines;
}

/** What operations that only read have told, in the host's own name; nothing that the host has not signed. */
export function sayRead(verdict: OutcomeVerdict): string[] {
  if (verdict.word !== "host") return [];
  return verdict.told.flatMap(({ operation, lines, code }) => {
    const found = code === undefined ? `read ${count(lines.length, "line")}` : `could not be read: ${code}`;
    return [`${operation + 1}. ${found}`, ...lines.map((line) => `   ${line}`)];
  });
}
