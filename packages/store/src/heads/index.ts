/**
 * Heads: the signed heads of the chain that were shown to hosts, beside the log that they are of.
 * Never signs one; never decides whom to believe.
 */
export type { KeptHead, KeptHeads } from "./kept-heads.ts";
export { memoryHeads } from "./memory-heads.ts";
