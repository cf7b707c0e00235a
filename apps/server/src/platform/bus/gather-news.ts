export interface GatherDeps {
  /** Calls again and again; returns the way to stop. */
  readonly every: (ms: number, act: () => void) => () => void;
  readonly tell: (names: readonly string[]) => void;
}

/** Gathers names and tells them together, each once: ten thousand hosts that come back are a few events, not ten thousand. */
export function gatherNews({ every, tell }: GatherDeps) {
  const changed = new Set<string>();
  const stop = every(gatherMs, () => {
    const names = [...changed];
    changed.clear();
    for (let from = 0; from < names.length; from += namesAtOnce) tell(names.slice(from, from + namesAtOnce));
  });
  return { note: (name: string) => void changed.add(name), close: stop };
}

/** What happens within this time is told together. */
const gatherMs = 500;
/** How many are told by name at once; a list in an event stays small. */
const namesAtOnce = 200;
