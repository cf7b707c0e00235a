import type { Clock } from "@gatehouse/base";
import type { FrameOf, SignedOutcome } from "@gatehouse/channel";
import type { Scope } from "@gatehouse/contract";
import type { Change, Secrets, ServerIdentity, Store } from "@gatehouse/store";
import type { Decide, Reads } from "@gatehouse/store/decide";
import type { Log } from "../../platform/log/index.ts";
import type { Principal, RequestFacts } from "../../platform/route/index.ts";
import type { LogBudget, LogsKept } from "./logs-end.ts";
import type { PlacedMinute } from "./place-minutes.ts";
import type { WitnessDesk } from "./witness-end.ts";

/** What a host signed about the end of a change; its key was verified, and is the one that its node is named after. */
export interface ToldOutcome {
  /** Who brought it. Another node than the one that signed it where a host was given a new identity, or is a copy of another. */
  readonly from: string;
  readonly outcome: SignedOutcome;
  /** The whole message, in base64url. */
  readonly signed: string;
}

/** What has to be kept together with something else. Refuses where nothing of the node may be kept. */
export type Alongside = (read: Reads) => Promise<readonly Change[]>;

/** What the parts of the fleet are handed; each names what it uses of it. */
export interface FleetDeps {
  readonly store: Pick<Store, "get" | "list">;
  readonly decide: Decide;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly log: Log;
  /** The server as its agents know it. */
  readonly identity: () => Promise<ServerIdentity>;
  readonly requireRights: (
    read: Reads,
    principal: Principal,
    asked: { readonly scope: Scope; readonly now: number },
  ) => Promise<unknown>;
  /** Where agents are told to find this server. */
  readonly url: () => string;
  /** Calls again and again; returns the way to stop. */
  readonly every: (ms: number, act: () => void) => () => void;
  /** Resolves after so many milliseconds. */
  readonly later: (ms: number) => Promise<void>;
  /** Calls once, later; returns the way to prevent it. */
  readonly after: (ms: number, act: () => void) => () => void;
  /** Tells whoever looks that these nodes came or went. */
  readonly tellPresence: (nodes: readonly string[]) => void;
  /** Keeps how a change ended on its host, in one commit with what it is handed. When it resolves it is durable. */
  readonly takeOutcome: (told: ToldOutcome, request: RequestFacts, alongside: Alongside) => Promise<void>;
  /** A host says how far a change is. It is shown, and never kept. */
  readonly takeStep: (nodeId: string, step: Pick<FrameOf<"~step">, "task" | "state">) => void;
  /** What a host has measured, a value a minute. */
  readonly takeMinutes: (nodeId: string, minutes: readonly PlacedMinute[]) => void;
  readonly hostLogs: LogsKept;
  /** Of one host, at most. */
  readonly logBudget: LogBudget;
  /** The signed heads of the audit log, which hosts keep. */
  readonly witness: WitnessDesk;
  readonly beatSeconds: number;
  readonly windowSeconds: number;
}
