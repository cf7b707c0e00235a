import type { RouteSpec } from "@gatehouse/contract/routes";
import type * as z from "zod";
import type { Filtered, NodeFilter } from "./node-filter.ts";
import type { Principal, RequestFacts } from "./principal.ts";
import type { ByteReply, Reply, StreamReply } from "./reply.ts";

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
type Data<Response> = Response extends z.ZodType ? z.input<Response> : Response extends null ? undefined : never;

/**
 * The bytes of a body as they come, once: exactly `length` of them, or the reading throws. A handler may leave before it has read
 * any, and refuse by `length` alone.
 */
export interface BodyStream extends AsyncIterable<Uint8Array> {
  readonly length: number;
}

/** What a handler gets: every part checked by the row's own schema; nothing of the raw request. */
export interface Call<Spec extends RouteSpec> {
  /** Present on every route but the public ones and the metrics. */
  readonly principal: Spec["access"]["kind"] extends "signed-in" | "scope" ? Principal : undefined;
  /** Present on filtered rows, which answer through it. */
  readonly nodes: IsFiltered<Spec> extends true ? NodeFilter : undefined;
  readonly params: Parsed<Spec["params"]>;
  readonly query: Parsed<Spec["query"]>;
  readonly headers: Parsed<Spec["headers"]>;
  readonly body: Parsed<Spec["body"]>;
  /** Present on rows whose body is a stream. */
  readonly bodyStream: Spec extends { readonly bodyStream: object } ? BodyStream : undefined;
  readonly request: RequestFacts;
}

/** Plain data is sent as JSON with the row's lowest status. */
export type Answer<Spec extends RouteSpec> =
  | Data<Spec["responses"][keyof Spec["responses"]]>
  | Reply
  | StreamReply
  | ByteReply;

type IsFiltered<Spec extends RouteSpec> = Spec["access"] extends { readonly nodes: "filtered" } ? true : false;
type Given<Spec extends RouteSpec> = IsFiltered<Spec> extends true ? Filtered<Answer<Spec>> : Answer<Spec>;

/** A row whose node is a parameter must have that parameter. */
type NamesItsNode<Spec extends RouteSpec> = Spec["access"] extends { readonly nodes: { readonly param: infer Name } }
  ? Name extends keyof Parsed<Spec["params"]>
    ? unknown
    : { readonly access: { readonly nodes: { readonly param: keyof Parsed<Spec["params"]> } } }
  : unknown;

/** A call as the edge makes it: checked against the row, its types known to the row alone. */
export interface CheckedCall {
  readonly principal: Principal | undefined;
  readonly nodes: NodeFilter | undefined;
  readonly params: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: unknown;
  readonly bodyStream?: BodyStream | undefined;
  readonly request: RequestFacts;
}

export interface Route {
  readonly spec: RouteSpec;
  /** Runs only after every check of the edge has passed. */
  readonly handle: (call: CheckedCall) => unknown;
}

/** Joins a row of the contract to the function that answers it, with the types of the row. */
export function route<const Spec extends RouteSpec>(
  spec: Spec & NamesItsNode<Spec>,
  handle: (call: Call<Spec>) => Given<Spec> | Promise<Given<Spec>>,
): Route {
  // The edge checks a call against this very spec before it makes it; that is what the narrower types ask for.
  return { spec, handle: handle as (call: never) => unknown as Route["handle"] };
}
