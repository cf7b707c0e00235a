import * as z from "zod";
import { absolutePath, unitName } from "../fields.ts";
import { lintFinding } from "../lint-finding.ts";
import { countOf } from "../say.ts";
import { defineOperation } from "./descriptor.ts";
import { logWords } from "./systemd-words.ts";

const source = z.discriminatedUnion("from", [
  z.strictObject({ from: z.literal("journal"), unit: unitName }),
  z.strictObject({ from: z.literal("file"), path: absolutePath }),
]);

/** Reads only. No capability covers what a host's logs hold, so no plugin's plan may hold it. */
export const logTail = defineOperation({
  kind: "log.tail",
  capability: null,
  says: "Reads the last lines of a log.",
  schema: z.strictObject({
    kind: z.literal("log.tail"),
    source,
    lines: z.int().min(1).max(10_000),
  }),
  subject: () => null,
  state: null,
  words: ({ source: from, lines }) => [`Reads the last ${countOf(lines, "line")} of ${nameOf(from)}. Changes nothing.`],
  lint: ({ source: from }) => [
    lintFinding(
      "log.leaves",
      `What ${nameOf(from)} says last leaves the host: it comes back with the result, and the server keeps it.`,
    ),
  ],
  diff: () => [],
  // A file is read by the host's helper itself: no program is started for it.
  work: ({ source: from, lines }) => ({
    files: [],
    programs: from.from === "file" ? [] : [{ step: "read", argv: ["journalctl", ...logWords(from.unit, lines)] }],
  }),
});

export type LogTail = z.output<typeof logTail.schema>;

function nameOf(from: z.output<typeof source>): string {
  return from.from === "file" ? from.path : `the journal of ${from.unit}`;
}
