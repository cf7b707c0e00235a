import { defineAgentCommand, placeOf, rootFlag } from "./agent-command.ts";

export const uninstallCommand = defineAgentCommand({
  name: "uninstall",
  summary: "remove the agent from this host",
  about: [
    "Stops and removes the units and the program, and lists what it leaves: the identity of this host, the server it knew, the ceiling, and what was kept of changes. With these a later enrol continues the same node.",
    "With --purge they are removed too, which cannot be undone: the host would come back as another node. The server keeps its record of the node until somebody removes it there.",
    "Firewall tables that plans have made stay in the kernel until the next boot, and are not loaded then. While a change is open nothing is removed.",
  ],
  examples: [
    { why: "See what would be done", run: "sudo gatehouse-agent uninstall --dry-run" },
    { why: "Remove the agent with the identity of this host", run: "sudo gatehouse-agent uninstall --purge" },
  ],
  flags: {
    purge: { about: "Also remove the identity, the ceiling and everything the agent kept." },
    "dry-run": { about: "Say what would be done, and do nothing." },
    ...rootFlag,
  },
  run: (given, { verbs }) =>
    verbs.uninstall({ ...placeOf(given), purge: given.purge === true, dryRun: given["dry-run"] === true }),
});
