import type { ChangeEvent, eventsRoute, whoAmIRoute } from "@gatehouse/contract/routes";
import { useSyncExternalStore } from "react";
import { isApiError } from "./api-error.ts";
import { addressOf, fetchApi } from "./client.ts";
import { forgetAll, forgetNoun } from "./invalidation.ts";

/** `reconnecting` for the first seconds without a stream, `offline` after that. */
export type LiveState = "live" | "reconnecting" | "offline";

const firstWaitMs = 1_000;
const longestWaitMs = 30_000;
const offlineAfterMs = 12_000;

let isWanted = false;
let source: EventSource | undefined;
let lastId: string | undefined;
let waitMs = firstWaitMs;
let reopening: number | undefined;
let givingUp: number | undefined;
let state: LiveState = "reconnecting";
const listeners = new Set<() => void>();

/** Opens the one stream of the page; the answer closes it. Opened twice, it stays one. */
export function openEvents(): () => void {
  isWanted = true;
  if (source === undefined && reopening === undefined) open();
  addEventListener("online", openNow);
  return () => {
    isWanted = false;
    removeEventListener("online", openNow);
    clearTimeout(reopening);
    clearTimeout(givingUp);
    reopening = undefined;
    givingUp = undefined;
    lastId = undefined;
    source?.close();
    source = undefined;
    state = "reconnecting";
  };
}

export function useLiveState(): LiveState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}

function open(): void {
  reopening = undefined;
  // The browser sends Last-Event-ID when it reconnects by itself; a new stream has to say where it goes on.
  const stream = new EventSource(addressOf<typeof eventsRoute>("/api/events", { query: { after: lastId } }));
  source = stream;
  stream.addEventListener("open", () => {
    waitMs = firstWaitMs;
    show("live");
  });
  stream.addEventListener("change", (event: MessageEvent<string>) => {
    lastId = event.lastEventId || lastId;
    const { action } = JSON.parse(event.data) as ChangeEvent;
    forgetNoun(action.slice(0, action.indexOf(".")));
  });
  stream.addEventListener("contributions", (event: MessageEvent<string>) => {
    lastId = event.lastEventId || lastId;
    forgetNoun("contributions");
  });
  stream.addEventListener("reset", (event: MessageEvent<string>) => {
    lastId = event.lastEventId || lastId;
    forgetAll();
  });
  stream.addEventListener("error", () => {
    show("reconnecting");
    if (stream.readyState === EventSource.CLOSED && source === stream) void openLater();
  });
}

/**
 * A closed stream was refused or had no server behind it. The browser does not say which, so a call finds out; one that
 * was refused for want of a session waits for the person to sign in again.
 */
async function openLater(): Promise<void> {
  source = undefined;
  try {
    await fetchApi<typeof whoAmIRoute>("GET", "/api/auth/whoami");
  } catch (error) {
    if (isApiError(error) && error.status === 401) return;
  }
  if (isWanted && source === undefined && reopening === undefined) {
    reopening = window.setTimeout(open, waitMs + Math.random() * waitMs * 0.3);
    waitMs = Math.min(waitMs * 2, longestWaitMs);
  }
}

function openNow(): void {
  if (!isWanted || source !== undefined) return;
  clearTimeout(reopening);
  waitMs = firstWaitMs;
  open();
}

function show(next: LiveState): void {
  if (next === "reconnecting" && state === "offline") return;
  if (next !== "reconnecting") {
    clearTimeout(givingUp);
    givingUp = undefined;
  } else {
    givingUp ??= window.setTimeout(() => show("offline"), offlineAfterMs);
  }
  if (next === state) return;
  state = next;
  for (const listener of listeners) listener();
}
