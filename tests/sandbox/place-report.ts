import type { SandboxLevel } from "@gatehouse/sandbox";
import type { Mark } from "./survivors.ts";

/** What is asked of one place: this program is started there with it as its only argument. */
export interface PlaceOrder extends Mark {
  readonly expects: SandboxLevel;
  /** The compiled probe. */
  readonly probe: string;
  readonly data: string;
  readonly runtime: string;
  /** A directory on a mount that runs no programs. */
  readonly noexec: string | undefined;
  /** Whether the ways out are tried. */
  readonly probes: boolean;
  /** Also try everything without a sandbox, as the same user, to show that the probes bite. */
  readonly outside: boolean;
  readonly seed: number;
  readonly runs: number;
  readonly deaths: number;
  /** How often each storm is raised. */
  readonly storms: number;
  /** How often each kind of the kernel's memory is taken. */
  readonly hoards: number;
  /** Whether this place has so little memory that a plugin can fill it. */
  readonly isSmall: boolean;
  /** Whether bare processes are ended beside the plugins, for a figure to compare with. */
  readonly compares: boolean;
}

/** What a place answers, one JSON object per line. */
export type PlaceReport =
  | { readonly kind: "level"; readonly level: SandboxLevel; readonly tried: string; readonly uid: number }
  | { readonly kind: "probe"; readonly name: string; readonly escaped: boolean; readonly detail: string }
  | { readonly kind: "outside"; readonly name: string; readonly works: boolean }
  | ({ readonly kind: "check" } & Check)
  | { readonly kind: "figures"; readonly figures: Figures }
  | { readonly kind: "storms"; readonly storms: StormFigures };

export interface Check {
  /** The same in every run. */
  readonly name: string;
  readonly why: string | undefined;
  /** How much was done: the same in every run of one seed. */
  readonly counts?: Readonly<Record<string, number>>;
}

export interface StormFigures {
  readonly runs: number;
  /** Storms that were raised; and those that had not ended when the server's answers came. */
  readonly names: readonly string[];
  readonly unanswered: readonly string[];
  readonly survivors: number;
  readonly surprises: readonly string[];
  /** The worst of all, and which storm it was: gone after its end was due, and how long the server's own process stood still. */
  readonly late: { readonly name: string; readonly ms: number };
  readonly stall: { readonly name: string; readonly ms: number };
}

export interface Figures {
  readonly runs: number;
  /** How many different behaviours there were. */
  readonly behaviours: number;
  readonly survivors: number;
  readonly leakedDescriptors: number;
  readonly leakedFiles: number;
  readonly deadlines: number;
  /** Milliseconds from the deadline to the end that is told. */
  readonly late: Spread;
  /** The behaviours that took longest to be gone, with the worst of each. */
  readonly slowest: readonly (readonly [behaviour: string, ms: number])[];
  /** The same for a bare process without a sandbox, ended in the same minutes: the machine's share in it. */
  readonly bare: Spread;
  /** The most memory any run held, over what it was allowed. */
  readonly memoryShare: number;
  /** Milliseconds from start to end of a plugin that only answers. */
  readonly launch: Spread;
  readonly seconds: number;
}

export interface Spread {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}
