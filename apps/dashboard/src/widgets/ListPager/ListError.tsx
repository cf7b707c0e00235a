import { ApiErrorView } from "../ApiErrorView/ApiErrorView.tsx";
import type { ListPagerProps } from "./ListPager.tsx";

/** In place of a list that could not be read; above one that could not be read again. The pager tells of its own failures. */
export function ListError({ list, noun }: ListPagerProps) {
  const { isError, isFetchNextPageError, isFetching, refetch, error, data } = list;
  if (!isError || isFetchNextPageError) return null;
  const title = `${noun.charAt(0).toUpperCase()}${noun.slice(1)} could not be read`;
  return (
    <ApiErrorView
      error={error}
      title={data === undefined ? title : "This is not up to date"}
      size={data === undefined ? "block" : "inline"}
      onRetry={() => void refetch()}
      retrying={isFetching}
    />
  );
}
