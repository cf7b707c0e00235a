import type { NodeMetrics } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import { metricLines } from "./metric-lines.ts";

const flat = (values: (number | null)[]) => ({ least: values, mean: values, most: values });
const empty = flat([null, null, null, null]);

const shown: NodeMetrics = {
  node: `node_${"0".repeat(26)}`,
  from: "2026-11-19T16:00:00.000Z",
  to: "2026-11-19T17:00:00.000Z",
  stepSeconds: 900,
  minutes: 45,
  latest: {
    at: "2026-11-19T16:59:00.000Z",
    cpu: 12.5,
    load: 0.42,
    memory: 40,
    memoryTotal: 16 * 1024 ** 3,
    disk: 41,
    diskTotal: 80_000_000_000,
    netIn: 1_250,
    netOut: 31_250_000,
    uptime: 93_784,
    cores: 8,
  },
  restarts: ["2026-11-19T16:15:00.000Z"],
  curves: {
    cpu: { least: [1, null, 2, 10], mean: [5, null, 50, 12.5], most: [9, null, 100, 14] },
    load: flat([0, null, 1, 2]),
    memory: flat([40, null, 40, 40]),
    disk: flat([41, null, 41, 41]),
    netIn: flat([0, null, 0, 0]),
    netOut: flat([1, null, 2, 31_250_000]),
  },
};

test("each metric is a row with its least, its mean and its most, and a curve with gaps", () => {
  expect(metricLines("web-1", shown)).toEqual([
    "web-1, 2026-11-19T16:00:00Z to 2026-11-19T17:00:00Z: 45 minutes measured, a point is 15 min",
    "",
    "               now          least    mean         most              of",
    "  CPU          12.5 %       1.0 %    22.5 %       100.0 %     ▁ ▅▂  8 cores",
    "  load         0.42         0.00     1.00         2.00        ▁ ▅█",
    "  memory       40.0 %       40.0 %   40.0 %       40.0 %      ▄ ▄▄  17.2 GB",
    "  disk         41.0 %       41.0 %   41.0 %       41.0 %      ▄ ▄▄  80.0 GB",
    "  network in   10.0 kbit/s  0 bit/s  0 bit/s      0 bit/s     ▁ ▁▁",
    "  network out  250 Mbit/s   8 bit/s  83.3 Mbit/s  250 Mbit/s  ▁ ▁█",
    "",
    "up for 1 d 2 h, measured at 2026-11-19T16:59:00Z",
    "the host restarted around 2026-11-19T16:15:00Z",
  ]);
});

test("a host that has measured nothing says when the first value comes", () => {
  const curves = { cpu: empty, load: empty, memory: empty, disk: empty, netIn: empty, netOut: empty };
  const lines = metricLines("web-1", { ...shown, minutes: 0, latest: null, restarts: [], curves });
  expect(lines.at(-1)).toMatch(/^Nothing was measured in this time/);
});

test("what a host could not say is a dash", () => {
  const latest = { ...shown.latest, at: "2026-11-19T16:59:00.000Z" } as NonNullable<NodeMetrics["latest"]>;
  const unknown = { ...latest, cpu: null, cores: null, memoryTotal: null, uptime: null };
  const lines = metricLines("web-1", { ...shown, latest: unknown, curves: { ...shown.curves, cpu: empty } });
  expect(lines[3]).toMatch(/^ {2}CPU +- +- +- +-$/);
  expect(lines.at(-2)).toMatch(/^up for an unknown time/);
});
