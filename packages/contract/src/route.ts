import type * as z from "zod";
import type { FaultCode } from "./faults.ts";
import type { Scope } from "./scopes.ts";

/** Who may call a route. It is a required field: a route that says nothing about access does not compile (contract 5). */
export type Access =
  | { readonly kind: "public"; readonly because: string }
  | { readonly kind: "metrics-token" }
  | { readonly kind: "signed-in"; readonly stepUp?: true }
  | { readonly kind: "scope"; readonly scope: Scope; readonly stepUp?: true };

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A JSON answer by its schema, or the media type of an answer that is not JSON. `null` is an answer without a body. */
export type ResponseSpec = z.ZodType | { readonly mediaType: string } | null;

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
  readonly body?: z.ZodType;
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
