import type { JsonObject } from "@gatehouse/base";
import type { RouteSpec } from "@gatehouse/contract/routes";
import type { Connection } from "./connection.ts";

type ItemOf<Spec extends RouteSpec> = Spec["responses"] extends {
  readonly 200: { readonly _output: { readonly items: readonly (infer Item)[] } };
}
  ? Item
  : never;

export interface Listed<Item> {
  readonly items: readonly Item[];
  /** Whether the server has more than `most`. */
  readonly more: boolean;
}

/** Reads a list page by page, up to `most` items. `pageSize` is the largest page the route gives. */
export async function listAll<const Spec extends RouteSpec>(
  connection: Pick<Connection, "call">,
  spec: Spec,
  { most, pageSize, params = {}, query = {}, cursor: start }: ListOptions,
): Promise<Listed<ItemOf<Spec>>> {
  const items: ItemOf<Spec>[] = [];
  let cursor = start;
  let empty = 0;
  while (items.length < most && empty < mostEmpty) {
    const limit = String(Math.min(pageSize, most - items.length));
    const { data } = await connection.call(spec, { params, query: { ...query, limit, cursor } });
    // Every list of the API has this form; the row's schema has just checked it.
    const page = data as { readonly items: readonly ItemOf<Spec>[]; readonly nextCursor: string | null };
    items.push(...page.items);
    if (page.nextCursor === null) return { items, more: false };
    // A page may be empty where the server looked at much in vain; the next one begins elsewhere.
    empty = page.items.length === 0 ? empty + 1 : 0;
    cursor = page.nextCursor;
  }
  return { items, more: true };
}

/** So many empty pages one after the other, and whoever asked is told that there may be more. */
const mostEmpty = 1_000;

export interface ListOptions {
  readonly most: number;
  readonly pageSize: number;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** Where the list begins; without it at its beginning. */
  readonly cursor?: string | undefined;
}

/** What came as JSON is JSON, though its schema's type does not say so. */
export function asJson(data: unknown): JsonObject {
  return data as JsonObject;
}
