import { useEffect, useReducer, useRef, useState } from "react";
import { isApiError } from "../../api/api-error.ts";
import { type LogFilter, readLogs } from "../../api/host-logs.ts";
import { followLogs } from "./follow-logs.ts";
import { followLines, nothingFollowed } from "./followed-lines.ts";

/** What went wrong; late is what is asked for again by itself. */
interface Trouble {
  readonly error: unknown;
  readonly isLate: boolean;
}

/** Follows as long as it is shown and nobody pauses it; a page that nobody sees asks for nothing. */
export function useFollowedLines(filter: LogFilter, query: string, isPaused: boolean) {
  const [followed, step] = useReducer(followLines, nothingFollowed);
  const [trouble, setTrouble] = useState<Trouble>();
  const [attempt, retry] = useReducer((count: number) => count + 1, 0);
  const position = useRef<string>(undefined);
  useEffect(() => {
    if (isPaused) return undefined;
    const stop = new AbortController();
    const { signal } = stop;
    const following = followLogs(position.current, {
      read: (question) => readLogs({ ...filter, q: query }, question, signal),
      wait: (ms) => waitShown(ms, signal),
      mayPass,
      tell: (news) => {
        if (signal.aborted) return;
        setTrouble(news.kind === "late" ? { error: news.error, isLate: true } : undefined);
        if (news.kind === "late") return;
        position.current = news.position;
        step(news);
      },
    });
    following.catch((error: unknown) => {
      if (!signal.aborted) setTrouble({ error, isLate: false });
    });
    return () => stop.abort();
  }, [filter, query, isPaused, attempt]);
  return { followed, step, trouble, retry };
}

/** No answer, or one that says to come back later. */
function mayPass(error: unknown): boolean {
  return isApiError(error) && (error.status === 0 || error.status >= 500 || error.retryAt !== undefined);
}

/** So long, and then until somebody sees the page. */
async function waitShown(ms: number, signal: AbortSignal): Promise<void> {
  const { promise: due, resolve, reject } = Promise.withResolvers<void>();
  let isOver = false;
  const look = (): void => {
    if (isOver && !document.hidden) resolve();
  };
  const timer = window.setTimeout(() => {
    isOver = true;
    look();
  }, ms);
  const end = (): void => reject(new Error("nobody follows any more"));
  signal.addEventListener("abort", end);
  document.addEventListener("visibilitychange", look);
  if (signal.aborted) end();
  try {
    await due;
  } finally {
    window.clearTimeout(timer);
    signal.removeEventListener("abort", end);
    document.removeEventListener("visibilitychange", look);
  }
}
