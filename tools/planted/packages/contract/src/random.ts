import { randomBytes } from "node:crypto"; // breaks: contract-is-isomorphic, contract-imports-base-and-zod
export const random = randomBytes;
