import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ListPage } from "../../api/list-pages.ts";
import { Pager } from "../../ui/Pager.tsx";
import { ApiErrorView } from "../ApiErrorView/ApiErrorView.tsx";

export interface ListPagerProps {
  readonly list: UseInfiniteQueryResult<InfiniteData<ListPage>>;
  /** What the list holds: "tokens". */
  readonly noun: string;
}

/** Below a list that may go on: how much was read, and the next part of it. Nothing while one page holds all of it. */
export function ListPager({ list, noun }: ListPagerProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  const pages = list.data?.pages ?? [];
  const read = pages.reduce((sum, { items }) => sum + items.length, 0).toLocaleString("en-GB");
  if (!hasNextPage && pages.length < 2) return null;
  const more = (): void => void fetchNextPage();
  return (
    <>
      <Pager
        shown={hasNextPage ? `The first ${read} ${noun} were read` : `All ${read} ${noun} were read`}
        more={hasNextPage}
        onMore={more}
        busy={isFetchingNextPage}
      />
      {isFetchNextPageError && (
        <ApiErrorView
          error={list.error}
          title={`Further ${noun} could not be read`}
          size="inline"
          onRetry={more}
          retrying={isFetchingNextPage}
        />
      )}
    </>
  );
}
