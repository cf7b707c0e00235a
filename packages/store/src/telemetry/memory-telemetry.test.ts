import { describe } from "vitest";
import { memoryTelemetry, newMemoryTelemetryDisk } from "./memory-telemetry.ts";
import { telemetryCases } from "./telemetry-cases.ts";

describe("telemetry in memory", () => {
  telemetryCases(async (deps) => {
    const disk = newMemoryTelemetryDisk();
    const telemetry = memoryTelemetry(deps, disk);
    return {
      telemetry,
      reopen: () => memoryTelemetry(deps, disk),
      damageHour: async (node, hour) => {
        disk.hours.get(node)?.set(hour, Uint8Array.of(1, 2, 3));
      },
      done: () => telemetry.close(),
    };
  });
});
