import type { Clock } from "@gatehouse/base";
import type { Scope } from "@gatehouse/contract";
import type { Secrets, ServerIdentity, Store } from "@gatehouse/store";
import type { Decide, Reads } from "@gatehouse/store/decide";
import type { Log } from "../../platform/log/index.ts";
import type { Principal } from "../../platform/route/index.ts";

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
  readonly beatSeconds: number;
  readonly windowSeconds: number;
}
