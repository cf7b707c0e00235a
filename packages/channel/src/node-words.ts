import { encodeText, frame } from "@gatehouse/keys/frame";
import type { Digest } from "./enrol-code.ts";
import { wordOf } from "./word-list.ts";

/**
 * Four words for a node's id, the same on the host and in the dashboard: a person compares them after an enrolment. They follow from the
 * id alone, 32 bits of it, and name nothing.
 */
export function nodeWords(sha256: Digest, nodeId: string): string[] {
  const digest = sha256(frame("gatehouse-node-words-v1", encodeText(nodeId)));
  return [...digest.subarray(0, 4)].map(wordOf);
}
