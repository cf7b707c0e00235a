import * as z from "zod";

/** What a host tells of itself that is no fact and no change: for the timeline of its node. */
export const hostEventNames = {
  "agent.started": "The agent started.",
  "ceiling.changed": "Root of the host has set another ceiling.",
  "outbox.gap": "Messages of the host were dropped: its outbox was full or damaged.",
  "witness.accepted": "Root of the host takes the server's log as it is now.",
  "witness.refused": "The host does not take the server's log for the one that it saw.",
} as const;
export type HostEventName = keyof typeof hostEventNames;

/** The body of an `out` of kind `event`. `at` is by the host's clock; `detail` is shown as it is, and decides nothing. */
export const hostEvent = z.strictObject({
  what: z.enum(Object.keys(hostEventNames) as [HostEventName, ...HostEventName[]]),
  at: z.int().nonnegative(),
  detail: z.string().max(256).exactOptional(),
});
export type HostEvent = z.output<typeof hostEvent>;
