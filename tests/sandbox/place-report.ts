import type { SandboxLevel } from "@gatehouse/sandbox";

/** What is asked of one place: this program is started there with it as its only argument. */
export interface PlaceOrder {
  readonly expects: SandboxLevel;
  /** The compiled probe. */
  readonly probe: string;
  /** The probe's process name and the length of its naps: how survivors are told from everybody else's processes. */
  readonly mark: string;
  readonly nap: string;
  readonly data: string;
  readonly runtime: string;
  /** A directory on a mount that runs no programs. */
  readonly noexec: string | undefined;
  /** Also try everything without a sandbox, as the same user, to show that the probes bite. */
  readonly outside: boolean;
  readonly seed: number;
  readonly runs: number;
  readonly seconds: number;
  readonly deaths: number;
  /** How often each storm is raised. */
  readonly storms: number;
}

/** What a place answers, one JSON object per line. */
export type PlaceReport =
  | { readonly kind: "level"; readonly level: SandboxLevel; readonly tried: string; readonly uid: number }
  | { readonly kind: "probe"; readonly name: string; readonly escaped: boolean; readonly detail: string }
  | { readonly kind: "outside"; readonly name: string; readonly works: boolean }
  | { readonly kind: "check"; readonly name: string; readonly why: string | undefined }
  | { readonly kind: "figures"; readonly figures: Figures }
  | { readonly kind: "storms"; readonly storms: StormFigures };

export interface StormFigures {
  readonly runs: number;
  /** The worst of all, and which storm it was: gone after the deadline, and how long the server's own process stood still. */
  readonly late: { readonly name: string; readonly ms: number };
  readonly stall: { readonly name: string; readonly ms: number };
  readonly surprises: readonly string[];
}

export interface Figures {
  readonly runs: number;
  readonly survivors: number;
  readonly leakedDescriptors: number;
  readonly leakedFiles: number;
  /** Outcomes that a behaviour may not have. */
  readonly surprises: number;
  readonly deadlines: number;
  readonly lateP50: number;
  readonly lateP99: number;
  readonly lateMax: number;
  /** What p99 was in a first run that was too late; a machine pauses now and then, and what is late twice is a defect. */
  readonly before: number | null;
  /** The behaviours that took longest to be gone, with the worst of each. */
  readonly slowest: readonly (readonly [behaviour: string, ms: number])[];
  /** The same for a bare process without a sandbox, ended in the same minutes: the machine's share in it. */
  readonly bareP50: number;
  readonly bareP99: number;
  /** The most memory any run held, over what it was allowed. */
  readonly memoryShare: number;
  readonly launchP50: number;
  readonly launchP99: number;
  readonly seconds: number;
}
