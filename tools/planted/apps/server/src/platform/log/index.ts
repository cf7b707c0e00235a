import { writeSync } from "node:fs";
import { bus } from "../bus/index.ts";
export const log = [writeSync, bus];
