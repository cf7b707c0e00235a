import { defineAgentCommand, placeOf, rootFlag } from "./agent-command.ts";

export const bootCommand = defineAgentCommand({
  name: "boot",
  hidden: true,
  summary: "bring this host to a sound state before it has a network",
  about: [
    "The unit gatehouse-boot.service starts it, before the network. It puts back what a change had begun when the host went down, and then loads the firewall tables that were confirmed. It exits with 1 when something of that failed, and says what.",
  ],
  examples: [{ why: "systemd runs this at every start of the host", run: "gatehouse-agent boot" }],
  flags: { ...rootFlag },
  run: (given, { verbs }) => verbs.boot(placeOf(given)),
});
