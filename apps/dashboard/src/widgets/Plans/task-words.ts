import {
  approvalFaults,
  type HostEnd,
  hostEnds,
  planFaults,
  taskFaults,
  taskMoves,
  taskStanding,
  type TaskState,
  taskStates,
  type TaskStepName,
  taskSteps,
} from "@gatehouse/contract";
import type { PlanTask } from "@gatehouse/contract/routes";
import type { State } from "../../ui/StateMark.tsx";

interface TaskSaying {
  readonly state: State;
  readonly word: string;
}

/** Every state of a task: its shape and its word. "Confirmed" is what the word "applied" promises and a host alone can keep. */
const taskStateWords: Readonly<Record<TaskState, TaskSaying>> = {
  queued: { state: "idle", word: "Queued" },
  sent: { state: "run", word: "Sent" },
  validated: { state: "run", word: "Valid" },
  snapshotted: { state: "run", word: "Snapshot" },
  armed: { state: "run", word: "Armed" },
  applying: { state: "run", word: "Applying" },
  checking: { state: "run", word: "Checking" },
  applied: { state: "ok", word: "Confirmed" },
  rolled_back: { state: "back", word: "Rolled back" },
  failed_before_change: { state: "bad", word: "Failed before change" },
  failed_after_change: { state: "bad", word: "Failed after change" },
  refused: { state: "refused", word: "Refused" },
  stale: { state: "refused", word: "Stale" },
  unknown: { state: "off", word: "Unknown" },
};

/** What a host can answer to a change. */
const answers = { ...planFaults, ...taskFaults, ...approvalFaults };

/** What a host answers that would have made the change: a refusal in form alone, and nothing that somebody has to mend. */
const nothingWrong = "apply.absent";

type Told = Pick<PlanTask, "state" | "code"> & Partial<Pick<PlanTask, "step" | "outcome">>;

export function sayTask({ state, code, step = null, outcome }: Told): TaskSaying {
  if (state === "refused" && code === nothingWrong) return { state: "quiet", word: "Nothing wrong" };
  if (outcome === null && isUnproven({ state, outcome })) {
    return { state: "warn", word: `${taskStateWords[state].word}, unproven` };
  }
  return taskStateWords[taskStanding(state, step)];
}

/** What a state without a code means for the host. */
const standingWords: Readonly<Partial<Record<TaskState, string>>> = {
  queued: "It is sent when the host is connected.",
  sent: "No answer yet.",
  validated: "The host found everything right and has taken it. It is as it was.",
  snapshotted: "What is there now is kept and can be put back. The host is as it was.",
  armed: "A timer outside the agent is set to put it back. The host is as it was.",
  applying: "The change is being made.",
  checking: "Made, and not kept yet: the host waits until it has reached this server anew.",
  applied: "The host is as the plan says, and stays so after its next start.",
  unknown: "Nobody knows yet: the host’s journal will say it when the host is back.",
};

/** Why a task ended so, in words: the title of its code, or the code where this page does not know it. */
export function whyTask({ state, code, step = null, outcome }: Told): string {
  if (outcome === null && isUnproven({ state, outcome })) return unprovenWords;
  if (code !== null) return isKnown(code) ? `${answers[code].title}.` : code;
  return standingWords[taskStanding(state, step)] ?? "";
}

const unprovenWords = "The server says so and shows no signature of the host: do not go by it.";

/** What a host is like after an end that it has told with a code. */
const afterEnd: Readonly<Record<HostEnd, string | undefined>> = {
  applied: undefined,
  rolled_back: "The host is as it was.",
  failed_before_change: "Nothing was changed: the host is as it was.",
  failed_after_change: "Look at this host now: it was changed and is not wholly restored.",
};

export function afterTask(task: Pick<PlanTask, "state" | "outcome" | "code">): string | undefined {
  if (isUnproven(task)) return undefined;
  if (isServiceDown(task)) return "Look at this host now: everything was put back, and a service that ran is down.";
  const { state } = task;
  const end = hostEnds.find((each) => each === state);
  return end && afterEnd[end];
}

/** A host that was sent nothing, where its wave is shut or the plan was halted. */
export function sayUnsent(isHalted: boolean): TaskSaying & { readonly why: string } {
  if (isHalted) return { state: "idle", word: "Not sent", why: "Nothing was sent: the host is as it was." };
  return { state: "idle", word: "Queued", why: "It is sent when its wave is open and it is connected." };
}

/** What a host is like in a few words, once it has ended without the change. */
export function sayHostAfter(state: TaskState): string {
  if (state === "failed_after_change") return "changed, not wholly restored";
  return state === "unknown" ? "new or old, never half" : "as it was";
}

/** The change is taken back as far as anything can be; the service is for somebody to mend. */
export function isServiceDown({ state, code }: Pick<PlanTask, "state" | "code">): boolean {
  return state === "failed_after_change" && code === "service.down";
}

/** An end that only a host can tell, without the host's signature: this page cannot check one, but it can miss one. */
export function isUnproven({ state, outcome }: Pick<PlanTask, "state" | "outcome">): boolean {
  return outcome === null && hostEnds.some((end) => end === state);
}

/** What an operation that only reads has brought, or why nothing. */
export function sayTold({ operation, lines, code }: PlanTask["told"][number]): string {
  const which = `Operation ${operation + 1}`;
  if (code !== undefined) return `${which} read nothing: ${isKnown(code) ? answers[code].title.toLowerCase() : code}.`;
  return `${which} read ${numbered(lines.length)} ${lines.length === 1 ? "line" : "lines"}.`;
}

/** Whether the timer is set that takes the change back. */
export function isArmed({ state, step }: Pick<PlanTask, "state" | "step">): boolean {
  return taskSteps.indexOf(taskStanding(state, step) as TaskStepName) >= taskSteps.indexOf("armed");
}

export interface TrackStep {
  readonly word: string;
  readonly state: Extract<State, "ok" | "run" | "idle">;
  readonly isNow: boolean;
}

/** The steps of a host that is in the middle of a change, and the end that it is on its way to. Undefined for any other. */
export function trackOf({ state, step }: Pick<PlanTask, "state" | "step">): readonly TrackStep[] | undefined {
  const now = taskSteps.indexOf(taskStanding(state, step) as TaskStepName);
  if (now < 0) return undefined;
  return [...taskSteps, "applied" as const].map((each, at) => ({
    word: taskStateWords[each].word,
    state: at < now ? "ok" : at === now ? "run" : "idle",
    isNow: at === now,
  }));
}

/** What somebody can do about it; nothing for what needs nobody. */
export function todoOf({ code }: Pick<PlanTask, "code">): string | undefined {
  return code !== null && code !== nothingWrong && isKnown(code) ? answers[code].todo : undefined;
}

/** Nothing more is expected of the host. `unknown` is none: its word may still come. */
export function isTaskEnd(state: TaskState): boolean {
  return taskMoves[state].length === 0;
}

/** Somebody may have to look at it: under way, or ended without the change. The server's word for the same is `notable`. */
export function isNotable({ state }: Pick<PlanTask, "state">): boolean {
  return state !== "queued" && state !== "applied";
}

/** "2 nothing wrong, 1 refused", in the order in which states follow each other; the same word is counted once. */
export function countTasks(tasks: readonly Told[]): string {
  const counts = new Map<string, number>();
  for (const task of byState(tasks)) {
    const { word } = sayTask(task);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].map(([word, count]) => `${count.toLocaleString("en-GB")} ${word.toLowerCase()}`).join(", ");
}

type Ends = Readonly<Partial<Record<TaskState, number>>>;

/** Ends after which a host is as it was. */
const unchangedEnds = ["rolled_back", "failed_before_change", "refused", "stale"] as const satisfies TaskState[];

/** What a plan that ended has done, as its hosts have said it. `null`: it was never begun. */
export function sayEnded(ended: Ends | null): string {
  if (ended === null) return "Nothing was changed on any host.";
  const of = (state: TaskState): number => ended[state] ?? 0;
  const all = taskStates.reduce((sum, state) => sum + of(state), 0);
  const unchanged = unchangedEnds.filter((state) => of(state) > 0);
  const count = unchanged.reduce((sum, state) => sum + of(state), 0);
  const why = unchanged.map((state) => `${numbered(of(state))} ${taskStateWords[state].word.toLowerCase()}`).join(", ");
  return [
    `${numbered(of("applied"))} of ${numbered(all)} confirmed.`,
    count > 0 && count === all ? `No host was changed. ${why}.` : "",
    count > 0 && count < all ? `${hostCount(count)} unchanged: ${why}.` : "",
    of("failed_after_change") > 0
      ? `${hostCount(of("failed_after_change"))} failed after the change: look there now.`
      : "",
    of("unknown") > 0 ? `${hostCount(of("unknown"))} did not say: new or old, never half.` : "",
  ]
    .filter((part) => part !== "")
    .join(" ");
}

function hostCount(count: number): string {
  return count === 1 ? "1 host" : `${numbered(count)} hosts`;
}

function numbered(count: number): string {
  return count.toLocaleString("en-GB");
}

/** Within a state, what needs nobody comes first: whatever the order of the hosts, the words have one. */
function byState(tasks: readonly Told[]): readonly Told[] {
  const rank = ({ state, code, step = null }: Told) =>
    2 * taskStates.indexOf(taskStanding(state, step)) + (code === nothingWrong ? 0 : 1);
  return tasks.toSorted((a, b) => rank(a) - rank(b));
}

function isKnown(code: string): code is keyof typeof answers {
  return Object.hasOwn(answers, code);
}
