import { approvalFaults, planFaults, taskFaults, type TaskState, taskMoves, taskStates } from "@gatehouse/contract";
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

export function sayTask({ state, code }: Pick<PlanTask, "state" | "code">): TaskSaying {
  if (state === "refused" && code === nothingWrong) return { state: "quiet", word: "Nothing wrong" };
  return taskStateWords[state];
}

/** Why a task ended so, in words: the title of its code, or the code where this page does not know it. */
export function whyTask({ state, code }: Pick<PlanTask, "state" | "code">): string {
  if (code !== null) return isKnown(code) ? `${answers[code].title}.` : code;
  if (state === "queued") return "It is sent when the host is connected.";
  if (state === "sent") return "No answer yet.";
  return "";
}

/** What somebody can do about it; nothing for what needs nobody. */
export function todoOf({ code }: Pick<PlanTask, "code">): string | undefined {
  return code !== null && code !== nothingWrong && isKnown(code) ? answers[code].todo : undefined;
}

/** Nothing more is expected of the host. `unknown` is none: its word may still come. */
export function isTaskEnd(state: TaskState): boolean {
  return taskMoves[state].length === 0;
}

/** "2 nothing wrong, 1 refused", in the order in which states follow each other; the same word is counted once. */
export function countTasks(tasks: readonly Pick<PlanTask, "state" | "code">[]): string {
  const counts = new Map<string, number>();
  for (const { state, code } of byState(tasks)) {
    const { word } = sayTask({ state, code });
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].map(([word, count]) => `${count.toLocaleString("en-GB")} ${word.toLowerCase()}`).join(", ");
}

/** As `countTasks`, from what the record of an ended plan holds. */
export function countEnded(ended: Readonly<Partial<Record<TaskState, number>>>): string {
  return taskStates
    .flatMap((state) => {
      const count = ended[state] ?? 0;
      return count === 0 ? [] : [`${count.toLocaleString("en-GB")} ${taskStateWords[state].word.toLowerCase()}`];
    })
    .join(", ");
}

/** States in which a host may be other than it was. */
const changed: readonly TaskState[] = ["applied", "failed_after_change", "unknown"];

/** How many hosts are, or may be, other than before the plan. */
export function countChanged(ended: Readonly<Partial<Record<TaskState, number>>>): number {
  return changed.reduce((sum, state) => sum + (ended[state] ?? 0), 0);
}

/** Within a state, what needs nobody comes first: whatever the order of the hosts, the words have one. */
function byState<Task extends Pick<PlanTask, "state" | "code">>(tasks: readonly Task[]): readonly Task[] {
  const rank = ({ state, code }: Task) => 2 * taskStates.indexOf(state) + (code === nothingWrong ? 0 : 1);
  return tasks.toSorted((a, b) => rank(a) - rank(b));
}

function isKnown(code: string): code is keyof typeof answers {
  return Object.hasOwn(answers, code);
}
