import * as z from "zod";
import { idOf } from "./list-shape.ts";

/** How a node is called: in plans, in tokens, in events, and in the key of its record. */
export const nodeId = idOf("node");

/** Of a credential, as it is shown. Any text: a token that was issued before ids had this form is shown as it is. */
export const shownNodes = z
  .array(z.string())
  .nullable()
  .meta({ description: "Ids of the only nodes it may see or touch; null means all." });
