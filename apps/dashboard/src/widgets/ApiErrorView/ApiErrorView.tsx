import { type ApiError, isApiError } from "../../api/api-error.ts";
import { ErrorView } from "../../ui/ErrorView.tsx";
import { TryAgain } from "./TryAgain.tsx";

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
  const { code, requestId } = error;
  const words = wordsOf(error, title === undefined);
  return <ErrorView title={title ?? error.title} {...words} {...{ code, requestId, onRetry, retrying, size }} />;
}

/** Their detail says nothing but the wait, which is counted down here: two numbers would soon differ. */
const onlyWaits: readonly string[] = ["request.rate_limited", "auth.sign_in_throttled"];

function wordsOf({ code, title, detail, todo, retryAt, fields }: ApiError, isTitleShown: boolean) {
  if (retryAt === undefined) return { detail: damageWords(title, fields) ?? detail, todo };
  // The key begins a new count for a new refusal.
  const wait = <TryAgain key={retryAt} at={retryAt} />;
  if (!onlyWaits.includes(code)) return { detail, todo: wait };
  return { detail: isTitleShown ? undefined : `${title}.`, todo: wait };
}

/** Damaged files: the detail of such an answer is bare, what was expected and found stands beside it. */
function damageWords(title: string, { file, position, expected, found }: ApiError["fields"]): string | undefined {
  if (typeof expected !== "string" || typeof found !== "string" || typeof file !== "string") return undefined;
  return `${title}: ${file}, from #${String(position)} on. Expected ${expected}, found ${found}.`;
}
