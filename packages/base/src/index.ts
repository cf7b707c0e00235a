/**
 * Base: the few things every part uses and no product noun belongs to.
 * Never grows without a reason; never does input or output.
 */
export { addToCount } from "./add-to-count.ts";
export { byteForm, readByteForm } from "./byte-form.ts";
export { writeCanonicalJson } from "./canonical-json.ts";
export { type Clock, manualClock, systemClock } from "./clock.ts";
export { Fault, type FaultInit, type FaultKind } from "./fault.ts";
export { newId } from "./ids.ts";
export type { Json, JsonObject } from "./json.ts";
export { runAll } from "./run-all.ts";
export {
  parseStrictJson,
  parseStrictJsonBytes,
  type StrictJson,
  type StrictJsonLimits,
  strictJsonLimits,
} from "./strict-json.ts";
export { type InTurn, openTurns } from "./turns.ts";
export { compareVersions, versionPattern } from "./version.ts";
export { helpColumns, wrapText } from "./wrap-text.ts";
