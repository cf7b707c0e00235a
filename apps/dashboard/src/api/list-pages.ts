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

/** Every item of a list of the API, for what is about all of them. What is longer than this many pages is cut. */
export async function readToEnd<Item>(
  read: (cursor: string | undefined) => Promise<ListPage & { readonly items: readonly Item[] }>,
  mostPages: number,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let cursor: string | null | undefined;
  for (let page = 0; cursor !== null && page < mostPages; page += 1) {
    const answer: { items: readonly Item[]; nextCursor: string | null } = await read(cursor);
    items.push(...answer.items);
    cursor = answer.nextCursor;
  }
  return items;
}
