import type { Json } from "@gatehouse/base";
import * as z from "zod";

/** Lines are read as strict JSON before they come here, so anything that is there is JSON. */
export const anyJson = z.custom<Json>((value) => value !== undefined, "must be there");
