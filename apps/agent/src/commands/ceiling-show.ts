import { defineAgentCommand, placeOf, rootFlag } from "./agent-command.ts";

export const ceilingShow = defineAgentCommand({
  name: "ceiling show",
  summary: "say in words what may be changed on this host",
  about: [
    "Reads /etc/gatehouse/ceiling.json, which local root wrote, and says what it allows. The server is shown the same and cannot change it. A host without the file is monitor: nothing may be changed.",
    "With --json it gives the ceiling as it is kept and its digest, which the host signs beside its facts.",
  ],
  examples: [
    { why: "See it", run: "sudo gatehouse-agent ceiling show" },
    { why: "Compare it between hosts", run: "sudo gatehouse-agent ceiling show --json" },
  ],
  flags: rootFlag,
  run: (given, { verbs }) => verbs.showCeiling(placeOf(given)),
});
