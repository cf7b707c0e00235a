import { QueryClient } from "@tanstack/react-query";
import { isApiError } from "./api-error.ts";

/** What is read stays fresh until the stream of events says otherwise; so a page that is opened again shows at once. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 10 * 60_000,
      retry: (failures, error) => failures < 2 && mayPass(error),
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false },
  },
});

/** A refusal stays one however often it is asked, and damaged files stay damaged; an answer that did not come may come. */
function mayPass(error: unknown): boolean {
  return isApiError(error) && (error.status === 0 || error.status >= 500) && !error.code.endsWith("_damaged");
}
