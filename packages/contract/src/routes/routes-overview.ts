import * as z from "zod";
import { mostOfOverviewKind, overviewKindNames } from "../overview-kinds.ts";
import type { RouteSpec } from "./route.ts";

export const overviewSubjects = ["server", "node", "plan", "plugin", "bundle", "token", "key", "webhook"] as const;

const time = z.iso.datetime().nullable();

export const overviewItem = z
  .strictObject({
    kind: z.enum(overviewKindNames),
    level: z.enum(["server", "host"]),
    subject: z.strictObject({ type: z.enum(overviewSubjects), id: z.string(), name: z.string() }),
    word: z.string().meta({ description: "How it stands, in a word or two." }),
    title: z.string(),
    line: z.string().meta({ description: "The cause, or what to do: one sentence or two." }),
    since: time.meta({ description: "null where nobody saw it begin." }),
    until: time.meta({ description: "Of what ends by itself; null for what does not." }),
  })
  .meta({ id: "OverviewItem" });
export type OverviewItem = z.output<typeof overviewItem>;

const area = z.strictObject({
  items: z.array(overviewItem).meta({ description: `Of each kind the first ${mostOfOverviewKind}.` }),
  more: z.int().min(0).meta({ description: "How many there are beyond the items." }),
  counts: z
    .array(z.strictObject({ kind: z.enum(overviewKindNames), count: z.int().min(1), says: z.string() }))
    .meta({ description: "How many there are of each kind, in the order of the items, and the same in words." }),
});
export type OverviewList = z.output<typeof area>;

export const overview = z
  .strictObject({
    at: z.iso.datetime(),
    broken: area,
    waiting: area,
    changing: area,
    unseen: z
      .array(z.enum(overviewKindNames))
      .meta({ description: "Kinds that the caller may not see: nothing is said of them, and that is no good news." }),
  })
  .meta({ id: "Overview" });
export type Overview = z.output<typeof overview>;

export const overviewRoute = {
  method: "GET",
  path: "/api/overview",
  summary: "What is broken, what waits for the caller and what is about to change, as far as the caller may see it.",
  access: { kind: "signed-in", nodes: "filtered" },
  responses: { 200: overview },
} as const satisfies RouteSpec;
