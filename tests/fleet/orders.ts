/** What the thread with the simulated agents is told. */
export type Order =
  /** Connects all that are away, each at a moment of its own within so many seconds. */
  | { readonly do: "connect"; readonly withinSeconds: number }
  | { readonly do: "beat" }
  | { readonly do: "hush" }
  /** Forgets who was welcomed when. */
  | { readonly do: "mark" }
  | { readonly do: "leave" }
  | { readonly do: "report" };

/** What it says about them. */
export interface FleetReport {
  readonly online: number;
  readonly welcomes: number;
  readonly beats: number;
  /** Beats on open connections that are not acknowledged yet. */
  readonly unacknowledged: number;
  /** Beats that went under with their connection. */
  readonly lostBeats: number;
  /** Connections that ended, by what was said. */
  readonly ends: Readonly<Record<string, number>>;
  readonly wrong: readonly string[];
  /** Since the mark, wall clock, in the order in which they came. */
  readonly welcomedAt: readonly number[];
}

/** What it is born with. */
export interface FleetPlan {
  readonly port: number;
  readonly seed: number;
  /** The numbers of the hosts: from the first, so many. */
  readonly first: number;
  readonly count: number;
  readonly beatSeconds: number;
}
