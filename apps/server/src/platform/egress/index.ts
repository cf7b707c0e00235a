/**
 * Egress: one HTTPS request to a host that was named beforehand, at a public address and no other.
 * Never follows a redirect, never keeps a cookie or a connection, and never decides who may send what.
 */
export { fetchGuarded, type GuardedAnswer, type GuardedRequest } from "./fetch-guarded.ts";
export { EgressError, type EgressReason } from "./egress-error.ts";
export type { EgressLimits } from "./limits.ts";
export { type Connect, connectTo } from "./connect-pinned.ts";
export { openResolve, type Resolve } from "./open-resolve.ts";
export { judgeAddress, refusedRanges } from "./judge-address.ts";
