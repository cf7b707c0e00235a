import { useEffect, useSyncExternalStore } from "react";

let title = "";
const listeners = new Set<() => void>();

/** The window's title and the last part of the breadcrumb. `undefined`: said elsewhere, or not known yet. */
export function usePageTitle(next: string | undefined): void {
  useEffect(() => {
    if (next === undefined) return;
    document.title = next === "" ? "Gatehouse" : `${next} - Gatehouse`;
    title = next;
    for (const listener of listeners) listener();
  }, [next]);
}

export function useShownTitle(): string {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => title,
  );
}
