import { defineAgentCommand, placeOf, rootFlag } from "./agent-command.ts";

export const rollbackCommand = defineAgentCommand({
  name: "rollback",
  summary: "take back, as root of this host, the change that is open on it",
  about: [
    "A change stays open until this host has proved that it still reaches its server. Until then this puts back what was there before, without waiting for the timer that would do the same; the server is told that root has asked for it. What was confirmed is no longer taken back: make a new plan for that.",
    "When an earlier change could not be taken back, this tries again. It exits with 1 when this host may be half changed, and says so.",
  ],
  examples: [
    { why: "Take back what was just changed", run: "sudo gatehouse-agent rollback" },
    { why: "The same from another program", run: "sudo gatehouse-agent rollback --json" },
  ],
  flags: { ...rootFlag },
  run: (given, { verbs }) => verbs.rollback(placeOf(given)),
});
