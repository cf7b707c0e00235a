import { parseArgs } from "node:util";
import { fault } from "@gatehouse/contract";
export const runProgram = [parseArgs, fault];
