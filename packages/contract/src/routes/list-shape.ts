import * as z from "zod";

/** Every list has this form: never a bare array, so that a field can be added beside it (product: HTTP conventions). */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.strictObject({
    items: z.array(item),
    nextCursor: z.string().nullable().meta({ description: "What to send as `cursor` for more; null at the end." }),
  });
}

/** How many items at most; a larger number is refused by name, not cut. */
export function limitOf(most: number, unsaid: number) {
  return z
    .string()
    .regex(/^[1-9][0-9]{0,3}$/, `must be a whole number from 1 to ${most}`)
    .refine((text) => Number(text) <= most, `must be a whole number from 1 to ${most}`)
    .optional()
    .meta({ description: `At most this many items, 1 to ${most}; ${unsaid} unless said otherwise.` });
}

export const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,128}$/, "must be 1 to 128 printable ASCII characters")
  .optional()
  .meta({ description: "Sent again within a day, the same key creates nothing twice." });

/** The ETag a record was read with. */
export const ifMatch = z
  .string()
  .regex(/^"[1-9][0-9]{0,15}"$/, "must be the ETag the record was read with")
  .meta({ description: "The ETag the record was read with; a record that changed since is not touched." });
