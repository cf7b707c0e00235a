import * as z from "zod";
import { absolutePath, unitName } from "../fields.ts";
import { countOf } from "../say.ts";
import { defineOperation, lintLater } from "./descriptor.ts";

/** Reads only. No capability covers what a host's logs hold, so no plugin's plan may hold it. */
export const logTail = defineOperation({
  kind: "log.tail",
  capability: null,
  hosts: "later",
  says: "Reads the last lines of a log.",
  schema: z.strictObject({
    kind: z.literal("log.tail"),
    source: z.discriminatedUnion("from", [
      z.strictObject({ from: z.literal("journal"), unit: unitName }),
      z.strictObject({ from: z.literal("file"), path: absolutePath }),
    ]),
    lines: z.int().min(1).max(10_000),
  }),
  subject: () => null,
  state: null,
  words: ({ source, lines }) => [
    `Reads the last ${countOf(lines, "line")} of ${source.from === "file" ? source.path : `the journal of ${source.unit}`}. Changes nothing.`,
  ],
  lint: lintLater,
  diff: () => [],
  work: null,
});
