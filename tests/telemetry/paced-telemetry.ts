import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as turnOfLoop } from "node:timers/promises";
import { manualClock } from "@gatehouse/base";
import type { Telemetry } from "@gatehouse/store/telemetry";
import { openSqliteTelemetry, openTelemetryThread } from "../../packages/store/src/telemetry/sqlite-telemetry.ts";

/** The real telemetry on a file, at a pace that the caller gives. */
export class PacedTelemetry {
  readonly port: Telemetry;
  readonly clock: ReturnType<typeof manualClock>;
  readonly warnings: string[] = [];
  #act: () => void = () => undefined;
  #onPruned: () => void = () => undefined;

  constructor({ path, now, keepMinutesMs }: { path: string; now: number; keepMinutesMs: number }) {
    this.clock = manualClock(now);
    this.port = openSqliteTelemetry({
      path,
      clock: this.clock,
      keepMinutesMs,
      onWarning: (message) => this.warnings.push(message),
      every: (_, act) => {
        this.#act = act;
        return () => undefined;
      },
      openThread: async (options) => {
        const thread = await openTelemetryThread(options);
        const call: typeof thread.call = async (op, ...rest) => {
          const answer = await thread.call(op, ...rest);
          if (op === "prune" && answer === false) this.#onPruned();
          return answer;
        };
        return { ...thread, call };
      },
    });
  }

  /** What happens once a minute; resolves when all of it has happened. */
  async tick(): Promise<void> {
    const pruned = new Promise<void>((resolve) => {
      this.#onPruned = resolve;
    });
    this.#act();
    await pruned;
    await turnOfLoop();
  }
}

/** Of a telemetry that is closed: everything is in the one file then. */
export function lookAt(path: string): { readonly bytes: number; readonly hours: ReadonlyMap<number, number> } {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const rows = db.prepare("SELECT hour, count(*) AS nodes FROM metric_hours GROUP BY hour").all() as unknown as {
      hour: number;
      nodes: number;
    }[];
    return { bytes: statSync(path).size, hours: new Map(rows.map(({ hour, nodes }) => [hour, nodes])) };
  } finally {
    db.close();
  }
}
