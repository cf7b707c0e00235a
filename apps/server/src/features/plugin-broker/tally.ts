import { type BrokerMethod, isBrokerMethod } from "@gatehouse/contract";

/** What an action used of the broker, for the audit log: how often and how much, never what. A type: only these are JSON. */
export type CallTally = {
  /** Names that do not exist are all counted as one, so that a plugin cannot write into the log with them. */
  readonly method: BrokerMethod | "unknown";
  /** The declared host that was asked. */
  readonly host?: string;
  readonly count: number;
  readonly refused: number;
  /** Of questions and answers together, as JSON. */
  readonly bytes: number;
};

export interface Tally {
  add(call: { method: string; host: string | undefined; isRefused: boolean; bytes: number }): void;
  rows(): readonly CallTally[];
}

export function openTally(): Tally {
  const rows = new Map<string, CallTally>();
  return {
    add: ({ method: name, host, isRefused, bytes }) => {
      const method = isBrokerMethod(name) ? name : "unknown";
      const key = `${method} ${host ?? ""}`;
      const { count = 0, refused = 0, bytes: before = 0 } = rows.get(key) ?? {};
      rows.set(key, {
        method,
        ...(host !== undefined && { host }),
        count: count + 1,
        refused: refused + (isRefused ? 1 : 0),
        bytes: before + bytes,
      });
    },
    rows: () => [...rows.keys()].sort().map((key) => rows.get(key) as CallTally),
  };
}
