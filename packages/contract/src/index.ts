/**
 * Contract: all that crosses a wire or is written down for others, as schemas and tables; browser-safe.
 * Never imports a Node module, never does input or output.
 */
export { type FaultCode, fault, faults, isFault } from "./faults.ts";
