import { describe } from "vitest";
import { memoryTelemetry, newMemoryTelemetryDisk } from "./memory-telemetry.ts";
import { telemetryCases } from "./telemetry-cases.ts";

describe("telemetry in memory", () => {
  telemetryCases(async (deps) => {
    const disk = newMemoryTelemetryDisk();
    const telemetry = memoryTelemetry(deps, disk);
    return { telemetry, reopen: () => memoryTelemetry(deps, disk), done: () => telemetry.close() };
  });
});
