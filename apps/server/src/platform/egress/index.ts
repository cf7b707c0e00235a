/**
 * Egress: one HTTPS request to a host that was named beforehand: by somebody else at public addresses alone, by the operator anywhere.
 * Never follows a redirect, never keeps a cookie or a connection, and never decides who may send what.
 */
export { fetchGuarded, type GuardedAnswer, type GuardedRequest } from "./fetch-guarded.ts";
export { fetchNamed, type NamedRequest } from "./fetch-named.ts";
export { type AuthoritiesDeps, readAuthorities } from "./read-authorities.ts";
export { EgressError, type EgressReason } from "./egress-error.ts";
export type { EgressLimits } from "./limits.ts";
export { type Connect, connectTo } from "./connect-pinned.ts";
export { openResolve, type Resolve } from "./open-resolve.ts";
export { judgeAddress, refusedRanges } from "./judge-address.ts";
