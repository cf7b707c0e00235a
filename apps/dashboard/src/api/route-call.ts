import type { RouteSpec } from "@gatehouse/contract/routes";
import type { input, output, ZodType } from "zod";

/**
 * What a row of the contract says about a call, as types alone: the compiler holds every call to its row, and no schema gets
 * into the page.
 */
export type CallOf<Spec extends RouteSpec> = Part<Spec, "params"> &
  Part<Spec, "query"> &
  Part<Spec, "headers"> &
  Part<Spec, "body">;

/** The data of a route's successful answers; `undefined` for one without a body. */
export type DataOf<Spec extends RouteSpec> = Data<Spec["responses"][SuccessOf<Spec["responses"]>]>;

/** A last argument that can be left out when every field in it can. */
export type LastArgument<Fields> = Partial<Fields> extends Fields ? [fields?: Fields] : [fields: Fields];

/** A part can be left out when every field of it is optional; but a route that reads a body is sent one, unless its row takes none. */
type Part<Spec extends RouteSpec, Name extends "params" | "query" | "headers" | "body"> = Spec extends {
  readonly [Key in Name]: infer Schema extends ZodType;
}
  ? Name extends "body"
    ? undefined extends input<Schema>
      ? { readonly [Key in Name]?: input<Schema> }
      : { readonly [Key in Name]: input<Schema> }
    : Partial<input<Schema>> extends input<Schema>
      ? { readonly [Key in Name]?: input<Schema> }
      : { readonly [Key in Name]: input<Schema> }
  : { readonly [Key in Name]?: never };

type SuccessOf<Responses> = {
  [Status in keyof Responses]: `${Status & number}` extends `2${string}` ? Status : never;
}[keyof Responses];

type Data<Response> = Response extends ZodType ? output<Response> : Response extends null ? undefined : never;
