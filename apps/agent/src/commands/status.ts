import { defineAgentCommand, placeOf, rootFlag } from "./agent-command.ts";

export const statusCommand = defineAgentCommand({
  name: "status",
  summary: "say whether this host is connected, and what may be changed on it",
  about: [
    "Reads what is kept on this host: the server it is enrolled with, the state of the two units, the last connection and what still waits to be sent, the ceiling, the change that is open or was last made, and whether what was confirmed is still so. It asks no server and changes nothing.",
    "The ceiling, the last connection, the journal of changes and what was confirmed are files that only root can read; others see the rest. It exits with 1 when the agent is not connected and with 5 when this host is not enrolled.",
  ],
  examples: [
    { why: "See how this host stands", run: "sudo gatehouse-agent status" },
    { why: "Watch it from another program", run: "sudo gatehouse-agent status --json" },
  ],
  flags: rootFlag,
  run: (given, { verbs }) => verbs.status(placeOf(given)),
});
