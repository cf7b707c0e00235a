import type { Clock, JsonObject } from "@gatehouse/base";
import type { AuditDetail } from "@gatehouse/contract";
import type { Store } from "@gatehouse/store";
import type { Log } from "../../platform/log/index.ts";
import type { Bundles } from "../plugin-bundles/index.ts";
import { lifecycleLimits } from "./limits.ts";

export interface TellRejectionsDeps {
  readonly store: Pick<Store, "commit" | "searchAudit">;
  readonly bundles: Pick<Bundles, "rejections">;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
}

/**
 * Says in the audit log what the loader did not take, when it is something else than at the start before; the entry before it is
 * what is compared with. It keeps no server from starting.
 */
export async function tellRejections({ store, bundles, clock, log }: TellRejectionsDeps): Promise<void> {
  const action = "plugin.rejected";
  try {
    const detail = rejectionsOf(bundles);
    const [last] = (await store.searchAudit({ action, limit: 1 })).items;
    if (keyOf(last?.detail) === keyOf(detail)) return;
    await store.commit({ at: clock.now(), actor: "system", action, subject: "plugins", outcome: "refused", detail });
  } catch (error) {
    log.error("what the loader rejected was not written into the audit log", {}, error);
  }
}

/** What two entries are compared by, whatever the order of their fields. */
function keyOf({ rejections = [], more = 0 }: JsonObject = {}): string {
  const told = Array.isArray(rejections) ? (rejections as JsonObject[]) : [];
  return JSON.stringify([...told.map(({ name, code, detail }) => [name, code, detail]), more]);
}

function rejectionsOf({ rejections }: Pick<Bundles, "rejections">): AuditDetail<"plugin.rejected"> {
  const { toldRejections, toldDetailChars } = lifecycleLimits;
  const told = rejections
    .map(({ name, code, detail }) => ({ name, code, detail: detail.slice(0, toldDetailChars) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
  return { rejections: told.slice(0, toldRejections), more: Math.max(0, told.length - toldRejections) };
}
