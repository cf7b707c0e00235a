import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** One directory for everything a run writes; its name reaches the test processes through their environment. */
export const scratchVariable = "ACCEPTANCE_SCRATCH";

let scratch: string | undefined;

/** Called by vitest before the first file. */
export function setup(): void {
  scratch = mkdtempSync(join(tmpdir(), "gatehouse-acceptance-"));
  process.env[scratchVariable] = scratch;
}

/** Called by vitest after the last one, whether or not a test process could still clean up. */
export function teardown(): void {
  if (scratch !== undefined) rmSync(scratch, { recursive: true, force: true });
}
