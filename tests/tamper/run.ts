import { runScenarios } from "../support/run-scenarios.ts";
import { compileCache } from "../support/child-environment.ts";
import { cuts } from "./cut-ends.ts";
import { edits } from "./edits.ts";
import { harms } from "./harms.ts";
import { withKey } from "./with-key.ts";
import { withoutMeaning } from "./without-meaning.ts";

// For the threads: every store starts one, and it is compiled once instead of each time.
process.env["NODE_COMPILE_CACHE"] ??= compileCache;

/** `npm run tamper [-- --short] [-- --seed N] [-- --only name]`: edits the data files without the key, and counts what nobody noticed. */
await runScenarios({ suite: "tamper", scenarios: [edits, cuts, withKey, withoutMeaning], harms: Object.values(harms) });
