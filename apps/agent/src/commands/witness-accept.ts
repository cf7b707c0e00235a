import { defineAgentCommand, placeOf, rootFlag } from "./agent-command.ts";

export const witnessAccept = defineAgentCommand({
  name: "witness accept",
  summary: "believe, as root, the audit log as the server shows it now",
  about: [
    "For after a backup of the server was restored: its log is older than what this host saw, and every head is refused. This shows both heads, asks, and takes the one that the server showed last. The server is told, and its log says so.",
    "Find out first who restored what. Whoever cut the log off to hide something wants exactly this. The pairs that did not fit stay kept on this host.",
  ],
  examples: [
    { why: "After an honest restore", run: "sudo gatehouse-agent witness accept" },
    { why: "The same from a script", run: "sudo gatehouse-agent witness accept --yes" },
  ],
  flags: { yes: { about: "Ask nobody." }, ...rootFlag },
  run: (given, { verbs }) => verbs.acceptHistory({ ...placeOf(given), isSure: given.yes === true }),
});
