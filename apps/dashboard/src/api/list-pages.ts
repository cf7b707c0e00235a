import { infiniteQueryOptions, type QueryKey } from "@tanstack/react-query";
import { fetchApi } from "./client.ts";
import type { List } from "./list.ts";

export interface ListAsk {
  readonly key: QueryKey;
  readonly path: string;
  /** The most that the route gives at once. */
  readonly limit: number;
  readonly query?: Readonly<Record<string, string | undefined>>;
}

/** A list of the API, page after page, by the cursor that each answer names. */
export const listPages = <Item>({ key, path, limit, query = {} }: ListAsk) =>
  infiniteQueryOptions({
    queryKey: [...key, "pages", query],
    queryFn: ({ signal, pageParam }) =>
      fetchApi<List<Item>>("GET", path, { signal, query: { ...query, limit, cursor: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
