import { useEffect, useState } from "react";
import type { View } from "../../ui/world/mercator.ts";

const restMs = 120;

/** The view once it has not changed for a moment. */
export function useAtRest(now: View): View {
  const [rest, setRest] = useState(now);
  useEffect(() => {
    const timer = window.setTimeout(() => setRest(now), restMs);
    return () => window.clearTimeout(timer);
  }, [now]);
  return rest;
}
