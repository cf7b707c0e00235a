import { frame } from "@gatehouse/keys/frame";
import * as z from "zod";
export const approval = z.object({ frame: z.literal(frame) });
