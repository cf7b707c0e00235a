/**
 * Alerts: rules that nodes cross and come back from, who looks after an alert, and of which ones nobody is to be told.
 * Never asks a host, never reads a curve, and tells nobody: whoever tells follows the audit log.
 */
import { metricLimits, type MetricValues } from "@gatehouse/contract";
import { alertKind } from "@gatehouse/contract/records";
import type { Alert } from "@gatehouse/contract/routes";
import { listRecords } from "@gatehouse/store/decide";
import type { Route, SeenNodes } from "../../platform/route/index.ts";
import type { AlertsDeps } from "./alerts-deps.ts";
import { type Looked, lookForAlerts } from "./look-for-alerts.ts";
import { alertsRoutes } from "./routes.ts";
import { openSignals } from "./signals.ts";
import { readBoard, sortByUrgency, viewAlert } from "./view-alerts.ts";

export type { AlertsDeps } from "./alerts-deps.ts";

export interface Alerts {
  readonly routes: readonly Route[];
  /** What a host brought, at the server's time. */
  take(node: string, minutes: readonly { readonly at: number; readonly values: MetricValues }[]): void;
  /** It has connected. */
  arrived(node: string): void;
  /** Open alerts of these nodes, what should be looked at first before the others. */
  list(seen: SeenNodes): Promise<readonly Alert[]>;
  open(): Promise<number>;
  /** Alerts that are not kept because too many are open. */
  unkept(): number;
  close(): Promise<void>;
}

export function openAlerts(deps: AlertsDeps): Alerts {
  const signals = openSignals(deps.clock);
  let looked: Looked = { runs: new Map(), unkept: 0 };
  const remember = (newest: Looked) => {
    if (newest.unkept > 0 && looked.unkept === 0) {
      deps.log.warn("too many alerts are open; more are not kept", { unkept: newest.unkept });
    }
    looked = newest;
  };
  let underWay: Promise<void> | undefined;
  const look = async () => {
    try {
      await lookForAlerts({ ...deps, signals, remember }, looked);
    } catch (error) {
      deps.log.error("what alerts open and end was not kept; it is tried again in a minute", {}, error);
    } finally {
      underWay = undefined;
    }
  };
  const stop = deps.every(metricLimits.minuteMs, () => {
    underWay ??= look();
  });
  const unkept = () => looked.unkept;
  return {
    routes: alertsRoutes({ ...deps, signals, unkept }),
    take: (node, minutes) => signals.take(node, minutes),
    arrived: (node) => signals.arrived(node),
    list: async (seen) => {
      const board = await readBoard(deps.store, seen);
      return sortByUrgency(
        await Promise.all(board.alerts.map((alert) => viewAlert({ ...deps, signals }, board, alert))),
      );
    },
    open: async () => (await listRecords(deps.store, alertKind)).length,
    unkept,
    close: async () => {
      stop();
      await underWay;
    },
  };
}
