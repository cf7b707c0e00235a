import { defineAgentCommand, placeOf, rootFlag } from "./agent-command.ts";

export const helperCommand = defineAgentCommand({
  name: "helper",
  hidden: true,
  summary: "answer the network part on the socket that systemd hands over",
  about: [
    "The root part of the agent. systemd starts it when somebody connects to /run/gatehouse/helper.sock and hands it that socket; it has no network, trusts nothing it is told there, and ends when nobody has asked for a while.",
  ],
  examples: [{ why: "systemd runs this; by hand there is no socket to answer on", run: "gatehouse-agent helper" }],
  flags: rootFlag,
  run: (given, { verbs }) => verbs.helper(placeOf(given)),
});
