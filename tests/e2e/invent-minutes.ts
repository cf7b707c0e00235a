import { metricLimits, type MetricName, metricNames, type MetricValues } from "@gatehouse/contract";
import { Random } from "../support/random.ts";
import { until } from "../support/until.ts";
import type { Api } from "./api.ts";

/** A minute as a host sends it. */
export interface InventedMinute {
  readonly at: number;
  readonly values: MetricValues;
}

export interface InventedHost {
  readonly seed: number;
  /** The last that is over. */
  readonly now: number;
  readonly count: number;
  /** Received and sent in bytes a second, around which it goes up and down. */
  readonly rates?: readonly [number, number];
  /** How many minutes ago it sent almost nothing, for four minutes. */
  readonly fell?: number;
  /** How many minutes ago it measured nothing, for six minutes. */
  readonly gap?: number;
  /** How full its fullest disk is, in percent. */
  readonly disk?: number;
  /** How many minutes ago it started anew. */
  readonly restarted?: number;
}

const { minuteMs } = metricLimits;

/** What an invented host has measured, minute after minute, the oldest first: the same for a seed. */
export function inventMinutes(host: InventedHost): readonly InventedMinute[] {
  const { seed, now, count, rates: [received, sent] = [8_000_000, 30_000_000], fell, gap, restarted, disk = 41 } = host;
  const random = new Random(seed);
  const last = Math.floor(now / minuteMs) * minuteMs - minuteMs;
  return Array.from({ length: count }, (_, nth) => count - nth).flatMap((ago) => {
    const wave = 1 + 0.1 * Math.sin(ago / 7 + seed) + 0.1 * (random.next() - 0.5);
    const fallen = isWithin(ago, fell, 4) ? 0.03 : 1;
    if (isWithin(ago, gap, 6)) return [];
    const values: Record<MetricName, number> = {
      cpu: Math.min(100, 20 * wave * (isWithin(ago, fell, 4) ? 3 : 1)),
      load: 0.8 * wave,
      memory: 38 * (0.95 + wave / 20),
      memoryTotal: 16_341_000_000,
      disk,
      diskTotal: 80_000_000_000,
      netIn: received * wave,
      netOut: sent * wave * fallen,
      uptime: restarted !== undefined && ago <= restarted ? (restarted - ago) * 60 + 30 : 9_000_000 - ago * 60,
      cores: 8,
    };
    return [{ at: last - (ago - 1) * minuteMs, values: metricNames.map((name) => values[name]) }];
  });
}

/** What a host says is taken without a word: that it is there, the API shows. */
export async function untilMeasured(api: Pick<Api, "call">, id: string): Promise<void> {
  await until(`the minutes of ${id} are there`, async () => {
    const { body } = await api.call("GET", `/api/nodes/${id}/metrics`);
    return Number(body["minutes"]) > 0;
  });
}

/** Of so many minutes that began so long ago. */
function isWithin(ago: number, began: number | undefined, minutes: number): boolean {
  return began !== undefined && ago <= began && ago > began - minutes;
}
