import { isApiError } from "../../api/api-error.ts";
import { ErrorView } from "../../ui/ErrorView.tsx";

export interface ApiErrorViewProps {
  readonly error: unknown;
  /** What was tried: "Plugins could not be read". Without it the server's own title stands here. */
  readonly title?: string;
  readonly onRetry?: (() => void) | undefined;
  readonly retrying?: boolean;
  readonly size?: "block" | "inline";
}

/** Any error that came out of `src/api`, with all that the server said about it. */
export function ApiErrorView({ error, title, onRetry, retrying = false, size = "block" }: ApiErrorViewProps) {
  if (!isApiError(error)) {
    const detail = error instanceof Error ? error.message : String(error);
    return <ErrorView title={title ?? "Something failed in this page"} {...{ detail, onRetry, retrying, size }} />;
  }
  const { detail, todo, code, requestId } = error;
  return <ErrorView title={title ?? error.title} {...{ detail, todo, code, requestId, onRetry, retrying, size }} />;
}
