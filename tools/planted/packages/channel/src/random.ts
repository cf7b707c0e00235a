import { randomBytes } from "node:crypto"; // breaks: contract-is-isomorphic
export const nonce = randomBytes;
