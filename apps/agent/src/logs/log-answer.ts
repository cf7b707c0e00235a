import { fault } from "@gatehouse/contract/faults";
import { hostLogLimits } from "@gatehouse/contract";
import * as z from "zod";

const count = z.int().nonnegative();
const source = count.max(hostLogLimits.sources - 1);

const form = z.object({
  lines: z
    .array(
      z.strictObject({
        s: source,
        at: count,
        level: z.int().min(0).max(7).nullable(),
        text: z.string().max(hostLogLimits.lineChars),
      }),
    )
    .max(hostLogLimits.sentLines),
  cursors: z.array(z.string().nullable()).max(hostLogLimits.sources),
  more: z.array(source).max(hostLogLimits.sources),
  lost: z
    .array(z.strictObject({ s: source, lines: count.nullable(), from: count, to: count }))
    .max(hostLogLimits.sources),
  refused: z.array(z.strictObject({ s: source, code: z.string(), detail: z.string() })).max(hostLogLimits.sources),
});

/** What the helper has read: for each source that was asked for, by its number. */
export type LogAnswer = z.output<typeof form>;

export function parseLogAnswer(answer: unknown, sources: number): LogAnswer {
  const parsed = form.safeParse(answer);
  const isAbout = ({ s }: { readonly s: number }) => s < sources;
  if (!parsed.success || ![parsed.data.lines, parsed.data.lost].flat().every(isAbout))
    throw fault("local.unavailable", "the helper has answered no lines of logs");
  return parsed.data;
}
