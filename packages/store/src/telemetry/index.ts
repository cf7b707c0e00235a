/**
 * Telemetry: what is seen, used and measured, too often for a commit each. Bounded everywhere: what does not fit is dropped and counted.
 * Never holds anything that must not be lost; never makes anybody wait who writes.
 */
export { memoryTelemetry } from "./memory-telemetry.ts";
export { openSqliteTelemetry, type SqliteTelemetryOptions } from "./sqlite-telemetry.ts";
export {
  type Curve,
  type DroppedLines,
  type KnownPlace,
  type LogBatch,
  type LogCounts,
  type LogFilter,
  type LogLine,
  type LogQuery,
  type Minute,
  type MinuteQuery,
  type MinuteSeries,
  type NewLogLine,
  type Telemetry,
  telemetryLimits,
  type Touch,
  type WebhookAttempt,
} from "./telemetry.ts";
