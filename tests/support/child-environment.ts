import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

/** Node keeps compiled sources here: the suites start the same programs a thousand times, and a start costs a third with it. */
export const compileCache = join(root, "node_modules/.cache/compiled");

/**
 * The whole environment of a program that a test starts: what any login shell has, and nothing of the caller's own
 * settings. What a test says in `more` wins.
 */
export function childEnvironment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: process.env["HOME"] ?? "/",
    NO_COLOR: "1",
    NODE_COMPILE_CACHE: compileCache,
    ...more,
  };
}
