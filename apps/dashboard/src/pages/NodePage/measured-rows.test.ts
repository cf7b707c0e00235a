import { expect, test } from "vitest";
import { scaleOf } from "../../widgets/Measured/metric-scale.ts";
import { sampleMetrics } from "../../widgets/Measured/sample-metrics.ts";
import { curvePath, measuredRows } from "./measured-rows.ts";

const latest = {
  cpu: 21.4,
  memory: 37.5,
  memoryTotal: 16_341_000_000,
  disk: 41,
  diskTotal: 80_000_000_000,
  netIn: 26_500_000,
  netOut: 23_500_000,
  load: 0.4,
  cores: 8,
};
const hour = sampleMetrics({ means: { netIn: [26_500_000], netOut: [23_500_000], load: [0.4] }, latest });
const day = sampleMetrics({ means: { netIn: [50_000_000], load: [3] } });

test("each row says what it is now, and of how much", () => {
  expect(measuredRows([hour, day]).map(({ label, now, note }) => `${label}: ${now}, ${note}`)).toEqual([
    "CPU: 21 %, of 8 cores",
    "Memory: 6.1 GB, of 16 GB",
    "Disk: 41 %, of 80 GB, the fullest",
    "Network: 212 in, 188 out, Mbit/s, scale 500",
    "Load: 0.40, 1 min, scale 4",
  ]);
});

test("hour and day are drawn on one scale, and both directions of the network too", () => {
  const [, , , net, load] = measuredRows([hour, day]);
  expect([net?.scale.most, net?.metrics, load?.scale.most]).toEqual([500, ["netIn", "netOut"], 4]);
});

test("a host that has said nothing yet shows no numbers", () => {
  const rows = measuredRows([sampleMetrics({ means: { cpu: [null] } })]);
  expect(rows.map(({ now }) => now)).toEqual(["–", "–", "–", "– in, – out", "–"]);
  expect(rows.map(({ note }) => note).slice(0, 3)).toEqual(["", "", "the fullest"]);
});

test("what is missing is a gap in the line, and a minute alone is a dot", () => {
  const scale = scaleOf("cpu", 0);
  expect(curvePath([0, 50, null, 100, null, null, 25, 20], scale)).toBe("M0 100.0L1 50.0M3 0.0h0M6 75.0L7 80.0");
  expect(curvePath([null, null], scale)).toBe("");
});
