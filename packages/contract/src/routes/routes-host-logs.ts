import * as z from "zod";
import { hostLogLimits, logLevels } from "../host-logs.ts";
import { nodeId } from "../node-id.ts";
import { limitOf, listOf } from "./list-shape.ts";
import type { RouteSpec } from "./route.ts";

const place = z.string().regex(/^(?:0|[1-9][0-9]{0,15})$/, "must be the id of a line");

export const hostLogLine = z
  .strictObject({
    id: z.string().meta({ description: "Grows in the order in which lines arrive." }),
    at: z.iso.datetime().meta({ description: "The host's time, put right by how far its clock is off." }),
    node: z.string(),
    source: z.string().meta({ description: "A service, or the path of a file." }),
    level: z.enum(logLevels).nullable().meta({ description: "Null where the source says none." }),
    text: z.string().meta({ description: "Control characters are shown by signs for them." }),
    dropped: z.strictObject({ lines: z.int().nullable(), from: z.iso.datetime() }).nullable().meta({
      description: "Not a line: so many were left out on the host between `from` and `at`; null when nobody counted.",
    }),
  })
  .meta({ id: "HostLogLine" });
export type HostLogLine = z.output<typeof hostLogLine>;

const most = { nodes: 50, sources: hostLogLimits.sources, text: 500 };

const filter = {
  node: z
    .string()
    .max(most.nodes * 32)
    .refine(
      (text) => listOfTexts(text).length <= most.nodes && listOfTexts(text).every((id) => nodeId.safeParse(id).success),
      "must be ids of nodes, with commas between them",
    )
    .optional()
    .meta({ description: `Ids of nodes with commas between them, at most ${most.nodes}. Without it, all.` }),
  source: z
    .string()
    .max(most.sources * (hostLogLimits.sourceChars + 1))
    .refine((text) => listOfTexts(text).length <= most.sources, `must be at most ${most.sources}`)
    .optional()
    .meta({ description: "Services and paths, with commas between them. Without it, all." }),
  level: z
    .enum(logLevels)
    .optional()
    .meta({ description: "This one and graver ones; lines without a level are left out." }),
  from: z.iso.datetime().optional().meta({ description: "Inclusive." }),
  to: z.iso.datetime().optional().meta({ description: "Exclusive." }),
};

/** What stands between commas. */
export function listOfTexts(text: string): string[] {
  return text.split(",").filter((part) => part !== "");
}

export const hostLogsRoute = {
  method: "GET",
  path: "/api/logs",
  summary: "Searches the lines that hosts have sent of their logs, the newest first.",
  access: { kind: "scope", scope: "log:read", nodes: "filtered" },
  query: z.strictObject({
    ...filter,
    q: z.string().max(most.text).optional().meta({
      description: 'Words that must all begin some word of the line; "several words" in quotes follow each other.',
    }),
    after: place
      .optional()
      .meta({ description: "Only lines that arrived behind this one, and of those the nearest: to follow." }),
    limit: limitOf(hostLogLimits.answerLines, hostLogLimits.unsaidLines),
    cursor: place.optional(),
  }),
  responses: {
    200: listOf(hostLogLine).extend({
      nextCursor: z.string().nullable().meta({
        description:
          "What to send as `cursor` for older lines; null at the end. A search that looked at many lines in vain ends early: then it is here though few lines are, or none.",
      }),
      position: z.string().meta({
        description:
          "What to send as `after` to follow: everything up to here was looked at that is newer than what was asked for.",
      }),
    }),
  },
} as const satisfies RouteSpec;

export const hostLogCounts = z
  .strictObject({
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    stepSeconds: z.int(),
    bars: z.array(z.strictObject({ error: z.int(), warning: z.int(), info: z.int(), dropped: z.int() })),
    byNode: z.array(z.strictObject({ node: z.string(), lines: z.int() })),
    bySource: z.array(z.strictObject({ source: z.string(), lines: z.int() })),
  })
  .meta({ id: "HostLogCounts" });
export type HostLogCounts = z.output<typeof hostLogCounts>;

export const hostLogCountsRoute = {
  method: "GET",
  path: "/api/logs/counts",
  summary:
    "Counts lines of logs by time, level, node and source; the last hour unless a stretch is named. Words are not counted by.",
  access: { kind: "scope", scope: "log:read", nodes: "filtered" },
  query: z.strictObject({ ...filter, bars: limitOf(hostLogLimits.bars, 60) }),
  responses: { 200: hostLogCounts },
  faults: ["metrics.stretch"],
} as const satisfies RouteSpec;
