import type { ActionName } from "@gatehouse/contract";
import type { Log } from "../../platform/log/index.ts";
import { beginAction, type BrokerAction } from "./begin-action.ts";
import type { BrokerHandlers, BrokerPlugin } from "./handlers.ts";

export interface BrokerDeps {
  /** All that a plugin can reach (contract 3.1): what is not in this table does not exist for it. */
  readonly handlers: BrokerHandlers;
  readonly log: Log;
}

export interface Broker {
  /** Gives a plugin its calls. Whoever was attached under the id before is detached: one set of bytes speaks for an id. */
  attach(plugin: BrokerPlugin): BrokerHandle;
  attachedIds(): readonly string[];
}

export interface BrokerHandle {
  beginAction(action: ActionName): BrokerAction;
  /** At once and for good: calls under way are answered with `broker.detached`, and their results are dropped. */
  detach(): void;
}

/** Imports no other feature: what a plugin reaches is exactly what compose hands in. */
export function openBroker({ handlers, log }: BrokerDeps): Broker {
  const attached = new Map<string, BrokerHandle>();
  return {
    attach: (given) => {
      // Nothing that is changed in the given object later changes what the plugin may do.
      const plugin = structuredClone(given);
      attached.get(plugin.id)?.detach();
      const access = new AbortController();
      const handle: BrokerHandle = {
        beginAction: (action) => beginAction({ handlers, log, plugin, action, attached: access.signal }),
        detach: () => {
          if (attached.get(plugin.id) === handle) attached.delete(plugin.id);
          access.abort();
        },
      };
      attached.set(plugin.id, handle);
      return handle;
    },
    attachedIds: () => [...attached.keys()].sort(),
  };
}
