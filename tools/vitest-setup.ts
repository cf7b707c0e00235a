import fc from "fast-check";
import { testSeed } from "./test-seed.ts";

// Before every test file: two runs of one commit draw the same cases, and a failing case is met again.
fc.configureGlobal({ seed: testSeed(process.env) });
