import { useCallback, useSyncExternalStore } from "react";

const watched = new Map<number, MediaQueryList>();

/** Whether the window is at most so wide: for what then has another place. What only looks different is the style sheets' work. */
export function useAtMost(width: number): boolean {
  const watch = useCallback(
    (changed: () => void) => {
      const query = queryFor(width);
      query.addEventListener("change", changed);
      return () => query.removeEventListener("change", changed);
    },
    [width],
  );
  return useSyncExternalStore(watch, () => queryFor(width).matches);
}

function queryFor(width: number): MediaQueryList {
  const query = watched.get(width) ?? window.matchMedia(`(max-width: ${width}px)`);
  watched.set(width, query);
  return query;
}
