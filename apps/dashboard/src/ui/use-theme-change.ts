import { useSyncExternalStore } from "react";

/** How often the colours have changed: for what is drawn once in the colours of a moment, as on a canvas. */
export function useThemeChange(): number {
  return useSyncExternalStore(watch, () => changes);
}

let changes = 0;
const listeners = new Set<() => void>();
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const attribute = new MutationObserver(tell);

function watch(listener: () => void): () => void {
  if (listeners.size === 0) {
    attribute.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    dark.addEventListener("change", tell);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    attribute.disconnect();
    dark.removeEventListener("change", tell);
  };
}

function tell(): void {
  changes += 1;
  for (const listener of listeners) listener();
}
