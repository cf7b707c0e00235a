import { createHash } from "node:crypto";
import { keys } from "@gatehouse/keys";
import { approval } from "../index.ts";
export const verify = { createHash, keys, approval };
