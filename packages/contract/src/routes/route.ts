import type * as z from "zod";
import type { FaultCode } from "../faults.ts";
import type { Scope } from "../scopes.ts";

/** Who may call a route. It is a required field: a route that says nothing about access does not compile (contract 5). */
export type Access =
  | { readonly kind: "public"; readonly because: string }
  | { readonly kind: "metrics-token" }
  | ({ readonly kind: "signed-in"; readonly nodes: NodeReach } & Proof)
  | ({ readonly kind: "scope"; readonly scope: Scope; readonly nodes: NodeReach } & Proof);

/** What a row asks for beside its scope. Whatever raises power asks for a proof (product: step-up). */
export interface Proof {
  readonly stepUp?: StepUp;
  /** Where one row raises power and lowers it: bodies that only lower it. They need no proof, every other one does. */
  readonly lowers?: { readonly says: string; readonly body: z.ZodType };
}

/**
 * Who has to prove the password once more.
 *
 * - `always`: only a session whose proof is fresh gets in; a token never does.
 * - `sessions`: a session's proof must be fresh; a token passes, because issuing it was the proof.
 */
export type StepUp = "always" | "sessions";

/**
 * What a call has to do with nodes; it decides what a credential that is limited to some of them may do. Required like the
 * access it belongs to.
 *
 * - `every`: it concerns more than single nodes, so a limited credential is refused.
 * - `param`: the path parameter of this name is the node, so a limited credential must have it in its list.
 * - `filtered`: the handler answers about what the caller may see, and its types make it ask which nodes those are.
 * - `none`: the answer speaks of no node, for the reason given here.
 */
export type NodeReach = "every" | "filtered" | { readonly param: string } | { readonly none: string };

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A JSON answer by its schema, or the media type of an answer that is not JSON. `null` is an answer without a body. */
export type ResponseSpec = z.ZodType | { readonly mediaType: string } | null;

/** A body that is too large to hold in memory: its media type, and how many bytes it has at most. It has to say its length. */
export interface BodyStreamSpec {
  readonly mediaType: string;
  readonly most: number;
}

/**
 * One row of the API as a stranger sees it: checked by the server, listed in /api/openapi.json, called by the client.
 * Objects are strict (`z.strictObject`): what is not named is refused.
 */
export interface RouteSpec {
  readonly method: Method;
  readonly path: `/api/${string}`;
  readonly summary: string;
  readonly access: Access;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  /** Where its schema takes nothing, the request may have no body. */
  readonly body?: z.ZodType;
  /** In the place of `body`: bytes that the handler reads piece by piece. */
  readonly bodyStream?: BodyStreamSpec;
  /** The first status is the one a handler's plain data is sent with. */
  readonly responses: Readonly<Record<number, ResponseSpec>>;
  /** Refusals of its own, beside those every route can give. */
  readonly faults?: readonly FaultCode[];
  /** Media types of the body; `application/json` unless said otherwise. */
  readonly accepts?: readonly string[];
  /** Largest body in bytes; 1 MiB unless said otherwise. */
  readonly bodyLimit?: number;
  /** A tighter limit per client address, beside the general one. */
  readonly rate?: { readonly perMinute: number; readonly burst: number };
  /**
   * A probe is asked by machines that know no name of this server and must not be kept out by the traffic of others:
   * it answers for every Host, is not rate limited, and ignores query strings.
   */
  readonly probe?: true;
  /** Browsers may send this request on behalf of any page; only for routes that change nothing of worth. */
  readonly anySite?: { readonly because: string };
}
