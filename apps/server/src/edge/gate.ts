import { hash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { fault } from "@gatehouse/contract";
import type { Access, RouteSpec, StepUp } from "@gatehouse/contract/routes";
import {
  type Authenticate,
  type FoundPrincipal,
  NodeFilter,
  type Principal,
  type RequestFacts,
} from "../platform/route/index.ts";
import type { Presented } from "./credential.ts";
import { isFromBrowser, isFromOwnPage } from "./cross-site.ts";
import { edgeLimits } from "./limits.ts";
import { requireReach } from "./node-reach.ts";
import type { Admission, CallerLimit } from "./rate-limit.ts";

/** A request that came past the host check and the rate limit, and has not been judged further. */
export interface Visit {
  readonly facts: RequestFacts;
  readonly headers: IncomingHttpHeaders;
  readonly presented: Presented;
  readonly admission: Admission;
  /** Parameters of the path, as the router found them. */
  readonly params: unknown;
}

/** Somebody whom the gate has let in. */
export interface Caller {
  readonly principal: Principal;
  /** For the handler of a filtered row, and for no other. */
  readonly nodes: NodeFilter | undefined;
}

export interface GateDeps {
  readonly authenticate: Authenticate;
  readonly limit: Pick<CallerLimit, "recordResult">;
  readonly metricsToken: string | undefined;
  readonly publicOrigin: string | undefined;
}

/**
 * Decides whether a visit may use a route, and who is visiting. Refusals are thrown; whatever is thrown here, a failing
 * look-up too, ends the request before its body is read and before any handler runs.
 */
export function openGate(deps: GateDeps) {
  return (spec: RouteSpec, visit: Visit): Caller | undefined | Promise<Caller | undefined> => {
    const { access } = spec;
    if (access.kind === "public") return letAnybody(deps, spec, visit);
    if (access.kind === "metrics-token") return letScraper(deps, visit);
    const { presented } = visit;
    if (presented === undefined) throw fault("auth.credential_required", "the route needs a credential; none was sent");
    if (presented.kind === "malformed") return judge(deps, spec, access, visit, undefined);
    const found = deps.authenticate({ ...visit.facts, credential: presented });
    if (found instanceof Promise) return found.then((later) => judge(deps, spec, access, visit, later));
    return judge(deps, spec, access, visit, found);
  };
}

function letAnybody(deps: GateDeps, spec: RouteSpec, visit: Visit): undefined {
  if (changesSomething(spec) && spec.anySite === undefined && isFromBrowser(siteHeaders(visit))) {
    requireOwnPage(deps, visit);
  }
}

function letScraper(deps: GateDeps, visit: Visit): undefined {
  if (deps.metricsToken === undefined) throw fault("server.metrics_disabled", "no metrics token is configured");
  const shown = visit.presented?.kind === "bearer" ? visit.presented.token : undefined;
  if (shown === undefined) throw fault("auth.credential_required", "metrics need the metrics token as a bearer token");
  const isRight = isSameSecret(shown, deps.metricsToken);
  deps.limit.recordResult(visit.admission, isRight);
  if (!isRight) throw fault("auth.credential_refused", "the bearer token is not the metrics token");
}

function judge(
  deps: GateDeps,
  spec: RouteSpec,
  access: Extract<Access, { kind: "signed-in" | "scope" }>,
  visit: Visit,
  found: FoundPrincipal | undefined,
): Caller {
  deps.limit.recordResult(visit.admission, found !== undefined);
  if (found === undefined) {
    throw fault("auth.credential_refused", "the credential is malformed, unknown, expired or revoked");
  }
  const { principal, nodes } = found;
  // A browser sends its cookie whichever page asks it to; a token is only sent by whoever holds it.
  if (principal.credential.kind === "session" && changesSomething(spec)) requireOwnPage(deps, visit);
  if (access.kind === "scope" && !principal.scopes.has(access.scope)) {
    throw fault("auth.scope_missing", `the route needs the scope ${access.scope}`, { fields: { scope: access.scope } });
  }
  if (nodes !== undefined) requireReach(access.nodes, nodes, readParams(spec, visit));
  // Where some bodies need no proof, the body decides once it is read: `requireProofOfBody`.
  if (access.lowers === undefined) requireProof(access.stepUp, principal, visit.facts.now);
  return { principal, nodes: access.nodes === "filtered" ? new NodeFilter(nodes) : undefined };
}

/** Through the row's own schema, as the handler will get them; none when the schema is going to refuse them. */
function readParams({ params }: RouteSpec, visit: Visit): Readonly<Record<string, unknown>> {
  return params?.safeParse(visit.params).data ?? {};
}

function changesSomething(spec: RouteSpec): boolean {
  return spec.method !== "GET";
}

function requireOwnPage(deps: GateDeps, visit: Visit): void {
  if (isFromOwnPage(siteHeaders(visit), deps.publicOrigin)) return;
  throw fault("auth.cross_site", "a change by a browser must come from the dashboard's own origin");
}

function siteHeaders({ headers }: Visit) {
  return { host: headers.host, origin: headers.origin, secFetchSite: headers["sec-fetch-site"] };
}

/** The rest of the gate's verdict, for the rows where it depends on the body. The body has passed the row's own schema. */
export function requireProofOfBody(
  { access }: RouteSpec,
  call: { body: unknown; caller: Caller | undefined; now: number },
) {
  if (access.kind === "public" || access.kind === "metrics-token" || access.lowers === undefined) return;
  if (access.lowers.body.safeParse(call.body).success) return;
  if (call.caller === undefined) throw new Error("a row that asks for a proof was reached by nobody");
  requireProof(access.stepUp, call.caller.principal, call.now);
}

function requireProof(stepUp: StepUp | undefined, { credential, authenticatedAt }: Principal, now: number): void {
  if (stepUp === undefined) return;
  if (credential.kind === "token") {
    if (stepUp === "sessions") return;
    throw fault("auth.session_required", "this needs a person's session; a token never steps up");
  }
  const age = now - authenticatedAt;
  // A sign-in that ended while this request was under way is a little younger than the request.
  const isFresh = age >= -edgeLimits.clockSlackMs && age <= edgeLimits.stepUpMs;
  if (isFresh) return;
  throw fault("auth.step_up_required", "this needs a session that signed in less than five minutes ago");
}

/** Equal digests of equal length are compared, so that the time taken says nothing about the secret. */
function isSameSecret(shown: string, secret: string): boolean {
  return timingSafeEqual(hash("sha256", shown, "buffer"), hash("sha256", secret, "buffer"));
}
