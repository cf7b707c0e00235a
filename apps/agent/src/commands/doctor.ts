import { defineAgentCommand, placeOf, rootFlag } from "./agent-command.ts";

export const doctorCommand = defineAgentCommand({
  name: "doctor",
  summary: "look for what keeps the agent from working, and say how to mend it",
  about: [
    "Checks the version of systemd, glibc and nft, the installed program and units, the modes and owners of the agent's files, what makes the WireGuard interfaces of the ceiling, the clock, and the environment that systemd hands to services. It changes nothing.",
    "Every finding says what was expected, what was found and what to do. It exits with 1 when something is wrong.",
  ],
  examples: [
    { why: "Find out why a host stays offline", run: "sudo gatehouse-agent doctor" },
    { why: "Check a host before it is enrolled", run: "sudo ./gatehouse-agent doctor" },
  ],
  flags: rootFlag,
  run: (given, { verbs }) => verbs.doctor(placeOf(given)),
});
