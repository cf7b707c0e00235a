import * as z from "zod";

/** An id as this server makes it: the kind, and 26 characters without i, l, o and u. */
export function idOf(kind: string) {
  return z.string().regex(new RegExp(`^${kind}_[0-9a-hjkmnp-tv-z]{26}$`), `must be an id of the form ${kind}_…`);
}
