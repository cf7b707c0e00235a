import { useQuery } from "@tanstack/react-query";
import { type Lifecycle, pluginsQuery } from "../../api/plugins.ts";

/** A breaker closes by the passing of time, which no event tells; so while one is open the list is read again. */
const whileOpenMs = 10_000;

export function usePlugins(enabled = true) {
  return useQuery({
    ...pluginsQuery,
    enabled,
    refetchInterval: ({ state }) => (hasOpenBreaker(state.data) ? whileOpenMs : false),
  });
}

function hasOpenBreaker(data: Lifecycle | undefined): boolean {
  return data?.items.some(({ runtime }) => runtime.breaker === "open") ?? false;
}
