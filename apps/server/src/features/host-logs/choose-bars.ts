import { fault, metricLimits } from "@gatehouse/contract";

interface Asked {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly bars?: string | undefined;
}

const seconds = [1, 5, 10, 30, 60, 300, 600, 1_800, 3_600, 10_800, 21_600, 43_200, 86_400];
const hour = 3_600_000;

/** Bars of whole lengths that cover the stretch; the last hour in minutes unless said otherwise. */
export function chooseBars(asked: Asked, now: number) {
  const to = asked.to === undefined ? now : Date.parse(asked.to);
  const from = asked.from === undefined ? to - hour : Date.parse(asked.from);
  const most = Number(asked.bars ?? 60) + 1;
  if (from >= to) throw fault("metrics.stretch", "it ends before it begins");
  if (to - from > metricLimits.stretchDays * 24 * hour) {
    throw fault("metrics.stretch", `it is longer than ${metricLimits.stretchDays} days`);
  }
  const cover = (stepMs: number) => ({
    from: Math.floor(from / stepMs) * stepMs,
    to: Math.ceil(to / stepMs) * stepMs,
    stepMs,
  });
  const steps = seconds.map((each) => cover(each * 1_000));
  const fits = steps.find((each) => (each.to - each.from) / each.stepMs <= most);
  return fits ?? cover(Math.ceil((to - from) / most / (24 * hour) + 1) * 24 * hour);
}
