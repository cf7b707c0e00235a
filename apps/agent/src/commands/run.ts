import { defineAgentCommand, placeOf, rootFlag } from "./agent-command.ts";

export const runCommandOfAgent = defineAgentCommand({
  name: "run",
  summary: "keep the connection to the server; systemd starts this",
  about: [
    "The network part of the agent: it has a user of its own, no capability and no way to change the host. It keeps one connection to the server that root enrolled this host with, and passes on what the helper reads and signs.",
    "The unit gatehouse-agent.service starts it. Run by hand it does the same until it is stopped; it exits with 5 when this host is not enrolled, and systemd then does not start it again.",
  ],
  examples: [
    { why: "Start it as a service, which is the way it is meant", run: "systemctl start gatehouse-agent.service" },
    { why: "Watch one attempt to connect", run: "gatehouse-agent run" },
  ],
  flags: rootFlag,
  run: (given, { verbs }) => verbs.run(placeOf(given)),
});
