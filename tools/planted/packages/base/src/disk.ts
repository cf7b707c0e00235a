import { readFileSync } from "node:fs"; // breaks: base-imports-nothing, contract-is-isomorphic
export const read = readFileSync;
