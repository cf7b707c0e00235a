import type { ChangeEvent, eventsRoute, whoAmIRoute } from "@gatehouse/contract/routes";
import { useSyncExternalStore } from "react";
import { isApiError } from "./api-error.ts";
import { addressOf, fetchApi } from "./client.ts";
import { forgetAll, forgetLongLists, forgetNoun, forgetPresence, repeatReads } from "./invalidation.ts";
import { type EventName, type Live, LiveStream } from "./live-stream.ts";

export type { Live, LiveState } from "./live-stream.ts";

/** A lost network answers no call, not even with a refusal. */
const askMs = 10_000;

const stream = new LiveStream({
  open: (after) => new EventSource(addressOf<typeof eventsRoute>("/api/events", { query: { after } })),
  mayOpen: async () => {
    try {
      await fetchApi<typeof whoAmIRoute>("GET", "/api/auth/whoami", { signal: AbortSignal.timeout(askMs) });
    } catch (error) {
      return !(isApiError(error) && error.status === 401);
    }
    return true;
  },
  onEvent: take,
  onSilence: repeatReads,
  clock: {
    now: () => Date.now(),
    after: (ms, act) => {
      const timer = window.setTimeout(act, ms);
      return () => clearTimeout(timer);
    },
    every: (ms, act) => {
      const timer = window.setInterval(act, ms);
      return () => clearInterval(timer);
    },
  },
  random: Math.random,
});

/** Opens the one stream of the page, from where its reads began; the answer closes it. */
export function openEvents(from: number): () => void {
  const lost = (): void => stream.networkLost();
  const back = (): void => stream.networkBack();
  const look = (): void => stream.look();
  addEventListener("offline", lost);
  addEventListener("online", back);
  // Whoever comes back to a page after a night must not read an old "Live" until the next look.
  document.addEventListener("visibilitychange", look);
  stream.start(from);
  return () => {
    removeEventListener("offline", lost);
    removeEventListener("online", back);
    document.removeEventListener("visibilitychange", look);
    stream.stop();
  };
}

export function useLive(): Live {
  return useSyncExternalStore(
    (listener) => stream.subscribe(listener),
    () => stream.live,
  );
}

function take(name: EventName, data: string): void {
  if (name === "reset") return forgetAll();
  if (name === "contributions") return forgetNoun("contributions");
  if (name === "presence") return forgetPresence();
  if (name === "steps") return forgetLongLists();
  if (name !== "change") return;
  const { action } = JSON.parse(data) as ChangeEvent;
  forgetNoun(action.slice(0, action.indexOf(".")));
}
