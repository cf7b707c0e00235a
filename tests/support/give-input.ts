import type { Writable } from "node:stream";

/**
 * All that a program gets on its standard input. One that ends before it has read it, as one that refuses to start does, is judged by
 * its words and its exit code: without a listener, what it left unread would stop the whole run of tests.
 */
export function giveInput(stdin: Writable | null, input: string | Uint8Array = ""): void {
  stdin?.on("error", () => undefined);
  stdin?.end(input);
}
