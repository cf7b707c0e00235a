import type { Stretch } from "../../api/metrics.ts";
import type { View } from "../../widgets/Measured/measured-points.ts";
import { type LogRange, logRanges } from "../../widgets/HostLogs/log-ranges.ts";

/** What following shows of the past: a bar is a few seconds. */
export const followedStretch: Stretch = { lastMs: 5 * 60_000 };

/**
 * The time that the bars show: it ends now while what is chosen is in it. Of what is older, a stretch that stays where it is when
 * a neighbour of the chosen bar is chosen, and goes on by a half when one near its end is.
 */
export function windowOf(range: LogRange, chosen: View | undefined, now: number): Stretch {
  const { lastMs } = logRanges[range];
  if (chosen === undefined || chosen.from >= now - lastMs) return { lastMs };
  const least = Math.max(lastMs, 2 * (chosen.to - chosen.from));
  const half = (Object.values(logRanges).find((one) => one.lastMs >= least)?.lastMs ?? least) / 2;
  const middle = (chosen.from + chosen.to) / 2;
  const from = Math.floor((middle - half / 2) / half) * half;
  return { from, to: from + 2 * half };
}
