import { manualClock } from "@gatehouse/base";
import { test } from "vitest";
import type { TelemetryDeps } from "./open-telemetry.ts";
import type { Telemetry } from "./telemetry.ts";

export interface TelemetryUnderTest {
  readonly telemetry: Telemetry;
  /** Opens what was kept, as after a restart. */
  readonly reopen: () => Telemetry;
  /** Overwrites what is kept with something else. Absent where nothing can be damaged. */
  readonly damage?: () => Promise<void>;
  /** Damages one packed hour of a telemetry that is closed. */
  readonly damageHour: (node: string, hour: number) => Promise<void>;
  readonly done: () => Promise<void>;
}

/** What an adapter is opened with; a test moves the clock and calls the timer itself. */
export interface Surroundings {
  readonly clock: ReturnType<typeof manualClock>;
  readonly warnings: string[];
  readonly deps: TelemetryDeps;
  /** What happens once a minute, now. */
  readonly tick: () => void;
  isNearlyFull: boolean;
}

export type OpenUnderTest = (deps: TelemetryDeps) => Promise<TelemetryUnderTest>;

export type TelemetryCase = (
  name: string,
  work: (telemetry: Telemetry, around: Surroundings, under: TelemetryUnderTest) => Promise<void>,
  deps?: Pick<TelemetryDeps, "limits" | "keepMinutesMs" | "keepLogsMs" | "mostLogBytes">,
) => void;

/** A test of one adapter, which is opened for it and closed behind it. */
export function openTelemetryCase(open: OpenUnderTest): TelemetryCase {
  return (name, work, deps = {}) => {
    test(name, async () => {
      const around = surroundings(deps);
      const under = await open(around.deps);
      try {
        await work(under.telemetry, around, under);
      } finally {
        await under.done();
      }
    });
  };
}

function surroundings(more: Partial<TelemetryDeps>): Surroundings {
  const clock = manualClock();
  const warnings: string[] = [];
  const acts = new Set<() => void>();
  const around: Surroundings = {
    clock,
    warnings,
    isNearlyFull: false,
    tick: () => {
      for (const act of acts) act();
    },
    deps: {
      clock,
      every: (_, act) => {
        acts.add(act);
        return () => acts.delete(act);
      },
      mayGrow: () => !around.isNearlyFull,
      onWarning: (message) => warnings.push(message),
      ...more,
    },
  };
  return around;
}
