import { defineAgentCommand, placeOf, rootFlag } from "./agent-command.ts";

export const witnessShow = defineAgentCommand({
  name: "witness show",
  summary: "say what this host holds of the audit log of its server",
  about: [
    "A host keeps the newest head of the log that its server has signed, one of each day, and every pair of heads that did not fit together. A head that does not go on from the one before is refused: then the log was cut off or changed, or a backup was restored.",
    "With --json it prints the file that gatehouse audit verify --witness FILE takes: the files of the server are held against it, without trusting the server. It exits with 1 while something is refused.",
  ],
  examples: [
    { why: "See what is held", run: "sudo gatehouse-agent witness show" },
    {
      why: "Take it to where the files of the server are",
      run: "sudo gatehouse-agent witness show --json > web-1.json",
    },
  ],
  flags: rootFlag,
  run: (given, { verbs }) => verbs.showWitness(placeOf(given)),
});
