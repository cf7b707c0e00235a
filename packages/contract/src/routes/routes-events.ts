import * as z from "zod";
import type { RouteSpec } from "./route.ts";

const position = z.string().regex(/^(0|[1-9][0-9]{0,15})$/, "must be a position: a whole number from 0");

/** One change, as the stream tells it: enough to know what to read again. The record itself is read through its route. */
export const changeEvent = z
  .strictObject({
    position: z.int().min(1),
    at: z.iso.datetime(),
    action: z.string(),
    subject: z.string(),
  })
  .meta({ id: "ChangeEvent" });
export type ChangeEvent = z.output<typeof changeEvent>;

export const eventsRoute = {
  method: "GET",
  path: "/api/events",
  summary:
    "A stream of changes (Server-Sent Events); resumes after `Last-Event-ID` without a gap or a repeat. Events: `change` for what the caller may read, `contributions` when plugins' contributions may have changed, `presence` with the ids of nodes that came or went, and `steps` with the ids of plans whose hosts said how far they are (no id: they are no change, and are not told later), `reset` when everything is to be read again, `ping` every 15 seconds, so that silence means a lost connection.",
  access: { kind: "signed-in", nodes: "filtered" },
  query: z.strictObject({
    after: position.optional().meta({ description: "Where to begin when there is no Last-Event-ID." }),
  }),
  headers: z.object({ "last-event-id": position.optional() }),
  responses: { 200: { mediaType: "text/event-stream" } },
  faults: ["events.too_many_streams"],
} as const satisfies RouteSpec;
