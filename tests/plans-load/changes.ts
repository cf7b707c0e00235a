import type { HostEnd } from "@gatehouse/contract";
import { Random } from "../support/random.ts";

/** What a simulated host knows of its change, in numbers that count what all hosts did, one after the other. */
export interface HostChange {
  readonly node: string;
  /** Of every task that it was told of, each once. */
  readonly tasks: readonly string[];
  /** How often it was told of one, also of one that it had. */
  readonly offers: number;
  readonly offeredAt: number;
  readonly endedAt: number;
  /** What it signed. */
  readonly ends: readonly HostEnd[];
  /** Whether the server has said that it keeps it. */
  readonly isKept: boolean;
}

/** What the thread with the hosts is told. */
export type YardOrder =
  | { readonly do: "connect"; readonly withinSeconds: number }
  | { readonly do: "report" }
  | { readonly do: "changes" }
  | { readonly do: "leave" };

export interface YardReport {
  readonly online: number;
  /** Ends of changes of which the server has said that it keeps them. */
  readonly kept: number;
  /** Connections that ended, by what was said. */
  readonly ends: Readonly<Record<string, number>>;
  readonly wrong: readonly string[];
}

export interface YardPlan {
  readonly port: number;
  readonly seed: number;
  readonly count: number;
  readonly beatSeconds: number;
}

/** The share of hosts that take their change back. */
const rolledBack = 0.02;

export function endOfHost(seed: number, number: number): HostEnd {
  return new Random(seed, number).chance(rolledBack) ? "rolled_back" : "applied";
}
