import { readFileSync } from "node:fs"; // breaks: approvals-touch-no-machine
export const reads = readFileSync;
