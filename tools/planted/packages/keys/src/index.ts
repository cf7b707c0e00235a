import { verify } from "node:crypto";
import { frame } from "./frame.ts";
export const keys = { verify, frame };
