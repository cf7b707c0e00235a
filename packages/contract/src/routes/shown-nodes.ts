import * as z from "zod";

/** Of a credential, as it is shown. Any text: a token that was issued before ids had this form is shown as it is. */
export const shownNodes = z
  .array(z.string())
  .nullable()
  .meta({ description: "Ids of the only nodes it may see or touch; null means all." });
