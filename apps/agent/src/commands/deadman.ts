import { UsageError } from "@gatehouse/command-line";
import { defineAgentCommand, placeOf, rootFlag } from "./agent-command.ts";
import type { TaskRequest } from "./verbs.ts";

const flags = { task: { value: "TASK", about: "The change, by the id of its task." }, ...rootFlag } as const;

export const deadmanCheck = defineAgentCommand({
  name: "deadman check",
  hidden: true,
  summary: "say whether the open change could be taken back, without doing it",
  about: [
    "The helper runs it before it changes anything, in a unit like the one that takes changes back: it opens the journal and the snapshot and tries everything but the last step. It exits with 65 when there is no such change.",
  ],
  examples: [{ why: "The helper runs this", run: "gatehouse-agent deadman check --task task_…" }],
  flags,
  run: (given, { verbs }) => verbs.checkDeadman(taskOf(given, "deadman check")),
});

export const deadmanRun = defineAgentCommand({
  name: "deadman run",
  hidden: true,
  summary: "take the open change back: the timer of the change runs this",
  about: [
    "Ends the helper, puts back what was there before the change, makes sure that it is, and writes down that the change is taken back. What was confirmed meanwhile stays. It exits with 65 when there is no such change; any other failure is tried again by systemd. By hand use rollback.",
  ],
  examples: [{ why: "The timer runs this", run: "gatehouse-agent deadman run --task task_…" }],
  flags,
  run: (given, { verbs }) => verbs.runDeadman(taskOf(given, "deadman run")),
});

function taskOf(given: { readonly root?: string; readonly task?: string }, topic: string): TaskRequest {
  const { task } = given;
  if (task === undefined || !/^task_[0-9a-hjkmnp-tv-z]{26}$/.test(task)) {
    throw new UsageError("name the change with --task", topic);
  }
  return { ...placeOf(given), task };
}
