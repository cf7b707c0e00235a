import { infiniteQueryOptions, type QueryKey } from "@tanstack/react-query";

/** How every list of the API ends: with the cursor of its next page, or null. */
export interface ListPage {
  readonly items: readonly unknown[];
  readonly nextCursor: string | null;
}

/** Reads one page; without a cursor the first. */
type ReadPage<Page> = (cursor: string | undefined, signal: AbortSignal) => Promise<Page>;

/** A list of the API, page after page, by the cursor that each answer names. */
export const listPages = <Page extends ListPage>(key: QueryKey, read: ReadPage<Page>) =>
  infiniteQueryOptions({
    queryKey: [...key, "pages"],
    queryFn: ({ signal, pageParam }) => read(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
