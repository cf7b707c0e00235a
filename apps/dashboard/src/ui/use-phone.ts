import { useSyncExternalStore } from "react";

/** The same width at which the style sheets turn tables into lists. */
const phone = window.matchMedia("(max-width: 720px)");

/** For what a phone has in another place; what only looks different is the style sheets' work. */
export function usePhone(): boolean {
  return useSyncExternalStore(watch, () => phone.matches);
}

function watch(changed: () => void): () => void {
  phone.addEventListener("change", changed);
  return () => phone.removeEventListener("change", changed);
}
