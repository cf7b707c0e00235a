import { readFileSync } from "node:fs"; // breaks: command-line-imports-contract-and-below
export const readsFiles = readFileSync;
