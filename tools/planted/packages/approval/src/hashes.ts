import { createHash } from "node:crypto"; // breaks: contract-is-isomorphic
export const hashes = createHash;
