/**
 * Idempotency: what a request with an Idempotency-Key has created, for when the same one comes again.
 * Never keeps an answer: only the id of what was made, and a digest of what was asked for without its secrets.
 */
export { type Asked, recall, type Remembered } from "./recall.ts";
