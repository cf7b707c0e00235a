import { defineAgentCommand, placeOf, rootFlag } from "./agent-command.ts";

export const trustShow = defineAgentCommand({
  name: "trust show",
  summary: "say whose word counts on this host, with the keys of its approvers",
  about: [
    "Reads /etc/gatehouse/trust.json, which local root wrote: who approves changes of this host, the fingerprints of their keys, how many of them it takes, and until when. The server is shown the same and cannot change it.",
    "Everybody on the host may read it; whether it counts is said in the ceiling, which root alone can read. It exits with 1 when this host asks for approvers and cannot tell who they are.",
  ],
  examples: [
    { why: "See who approves", run: "sudo gatehouse-agent trust show" },
    { why: "Compare it between hosts", run: "gatehouse-agent trust show --json" },
  ],
  flags: rootFlag,
  run: (given, { verbs }) => verbs.showTrust(placeOf(given)),
});
