import { isApiError } from "../../api/api-error.ts";

/** What stands in the place of a page that could not be drawn. */
export function CrashView({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  const problem = isApiError(error) ? error : undefined;
  return (
    <section role="alert">
      <h1>{problem?.title ?? "This page failed"}</h1>
      <p>{problem?.detail ?? String(error)}</p>
      {problem?.todo !== undefined && <p>{problem.todo}</p>}
      {problem?.requestId !== undefined && <code>{problem.requestId}</code>}
      <button type="button" onClick={retry}>
        Try again
      </button>
    </section>
  );
}
