import { defineAgentCommand, placeOf, rootFlag } from "./agent-command.ts";

export const clockReset = defineAgentCommand({
  name: "clock reset",
  summary: "let this host believe its clock again after it was wrong",
  about: [
    "A host remembers the latest time that it has been sure of, so that nobody makes an approval last longer by setting the clock back. When the clock was far ahead for a while, that time was the wrong one, and every change is refused (time.clock_behind). This sets it to what the clock says now.",
    "Set the clock first. Approvals that were used stay used, whatever the clock says.",
  ],
  examples: [{ why: "After the clock was set right", run: "sudo gatehouse-agent clock reset" }],
  flags: { ...rootFlag },
  run: (given, { verbs }) => verbs.resetClock(placeOf(given)),
});
