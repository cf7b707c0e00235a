import { readFileSync } from "node:fs";
import { UsageError } from "@gatehouse/command-line";
import { defineAgentCommand, placeOf, rootFlag } from "./agent-command.ts";

const topic = "helper explain";

export const helperExplain = defineAgentCommand({
  name: topic,
  summary: "print what the root part of this agent would do for a plan",
  about: [
    "Reads a plan in its byte form, as GET /api/plans/:id/document gives it, or one section of it, and prints for each operation what it does in the words of the command line's plan show, what would be written for programs to read, and every program that would be started, word by word. TASK stands for the id of the task; what is kept to take the change back is known on the host alone.",
    "It asks nobody, starts nothing and changes nothing, and it needs no enrolment: what it prints depends on the file and on the version of this agent alone. Whether the change would be taken is for the helper to judge, by the ceiling, the approvals and what the host is like then. It exits with 1 when the file holds an operation that this version cannot make.",
  ],
  examples: [
    { why: "Read what would be done, before approving it", run: "gatehouse-agent helper explain plan.json" },
    { why: "Take it in a script", run: "gatehouse-agent helper explain plan.json --json" },
  ],
  arguments: { file: { value: "FILE", about: "A plan in its byte form, or one section of it." } },
  flags: rootFlag,
  run: (given, { verbs }) => verbs.explain({ ...placeOf(given), bytes: readGiven(given.file) }),
});

function readGiven(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new UsageError(`${file} cannot be read (${(cause as NodeJS.ErrnoException).code})`, topic);
  }
}
