import type { Clock } from "@gatehouse/base";
import type { Scope } from "@gatehouse/contract";
import type { NodeState } from "@gatehouse/contract/routes";
import type { Store } from "@gatehouse/store";
import type { Decide, Reads } from "@gatehouse/store/decide";
import type { Log } from "../../platform/log/index.ts";
import type { Principal } from "../../platform/route/index.ts";

/** What the parts of alerts are handed; each names what it uses of it. */
export interface AlertsDeps {
  readonly store: Pick<Store, "get" | "list">;
  readonly decide: Decide;
  readonly clock: Clock;
  readonly log: Log;
  readonly requireRights: (
    read: Reads,
    principal: Principal,
    asked: { readonly scope: Scope; readonly now: number },
  ) => Promise<unknown>;
  /** Calls again and again; returns the way to stop. */
  readonly every: (ms: number, act: () => void) => () => void;
  /** Resolves after so many milliseconds. */
  readonly later: (ms: number) => Promise<void>;
  /** How a node stands by its connection. */
  readonly seen: (node: string) => { readonly state: NodeState; readonly since: number | undefined };
}
