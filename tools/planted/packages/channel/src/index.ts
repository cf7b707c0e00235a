import { frame } from "@gatehouse/keys/frame";
import * as z from "zod";
export const hello = z.object({ frame: z.literal(frame) });
