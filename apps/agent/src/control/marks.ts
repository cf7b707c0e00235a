import { parseStrictJson } from "@gatehouse/base";
import * as z from "zod";
import type { ChangeMark } from "../outbox/outbox.ts";

/** What the outbox remembers for this part, written together with the messages that it is about. */
export interface Marks {
  /** Digest of the ceiling that was told last; undefined before the first. */
  readonly ceiling: string | undefined;
  /** The place in the helper's journal up to which every outcome is in the outbox. */
  readonly journal: number;
  /** How this host stood to its server's log when that was told last; undefined before anything was wrong. */
  readonly witness: string | undefined;
}

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const form = z.strictObject({
  ceiling: digest.exactOptional(),
  journal: z.int().nonnegative(),
  witness: z.string().max(64).exactOptional(),
});

/** Earlier versions remembered the digest alone. What cannot be read is as good as nothing: then everything is told once more. */
export function readMarks(text: string | undefined): Marks {
  if (text === undefined) return nothingMarked;
  if (digest.safeParse(text).success) return { ...nothingMarked, ceiling: text };
  const read = parseStrictJson(text);
  const { data } = form.safeParse(read.ok ? read.value : undefined);
  return data === undefined ? nothingMarked : { ceiling: data.ceiling, journal: data.journal, witness: data.witness };
}

/** Changes one of them, and leaves the others as they are then. */
export function withMarks(changed: Partial<Marks>): ChangeMark {
  return (before) => {
    const { ceiling, journal, witness } = { ...readMarks(before), ...changed };
    const optional = { ...(ceiling === undefined ? {} : { ceiling }), ...(witness === undefined ? {} : { witness }) };
    return JSON.stringify({ ...optional, journal } satisfies z.input<typeof form>);
  };
}

const nothingMarked: Marks = { ceiling: undefined, journal: 0, witness: undefined };
