import * as z from "zod";

/** Of all that the operations of one section tell, as it stands in the host's signed end: a message has a size that it may have at most. */
export const mostToldBytes = 16 * 1024;

/** Characters of one line. */
export const mostToldLength = 400;

/** What an operation that only reads tells with the result. */
export const toldLines = z.strictObject({
  /** Its place in the section, from 0. */
  operation: z.int().nonnegative(),
  /** The oldest first; the newest are always among them. */
  lines: z.array(z.string().max(mostToldLength)).max(2_000),
  /** A code of the fault table, where nothing could be read. */
  code: z.string().max(64).exactOptional(),
});
export type ToldLines = z.output<typeof toldLines>;

/** Of one section: as many as it can have operations. */
export const toldOfSection = z.array(toldLines).max(64);
