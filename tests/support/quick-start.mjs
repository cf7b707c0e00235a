import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";

/**
 * `node --import <this file>`: makes short lives cheap. Every thread keeps its compiled sources: NODE_COMPILE_CACHE reaches
 * only the main one, and a store opens a second. And nobody who lives for half a second collects garbage. Together that is
 * half of the processor time. Plain JavaScript, because stripping types from it would cost a third of what it saves.
 */
setFlagsFromString("--min-semi-space-size=32");
setFlagsFromString("--max-semi-space-size=64");
enableCompileCache(fileURLToPath(new URL("../../node_modules/.cache/compiled", import.meta.url)));
