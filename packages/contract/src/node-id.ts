import { idOf } from "./id-form.ts";

/** How a node is called: in plans, in tokens, in events, and in the key of its record. */
export const nodeId = idOf("node");
