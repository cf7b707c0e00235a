import { defineAgentCommand, placeOf, rootFlag } from "./agent-command.ts";

export const enrolExchangeCommand = defineAgentCommand({
  name: "enrol-exchange",
  hidden: true,
  summary: "spend the code on standard input, without any right",
  about: [
    "The part of an enrolment that speaks with the server. enrol starts it under the user of the agent's unit and hands it the code on standard input; it can change nothing of the host, and the helper signs for it only while root enrols.",
  ],
  examples: [
    { why: "enrol runs this; by hand there is no enrolment to take part in", run: "gatehouse-agent enrol-exchange" },
  ],
  flags: rootFlag,
  run: (given, { verbs }) => verbs.exchange(placeOf(given)),
});
