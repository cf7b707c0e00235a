import { fault } from "@gatehouse/contract";
import { type AlertRecord, alertKind, userKind } from "@gatehouse/contract/records";
import { put } from "@gatehouse/store/decide";
import { actorOf, entryOf, type Principal, type RequestFacts, type SeenNodes } from "../../platform/route/index.ts";
import type { AlertsDeps } from "./alerts-deps.ts";

/** Says that somebody looks after an alert. The first who said so stays: whoever comes later reads who it is. */
export async function acknowledgeAlert(
  deps: Pick<AlertsDeps, "decide" | "requireRights">,
  principal: Principal,
  { id, note, seen }: { readonly id: string; readonly note: string | undefined; readonly seen: SeenNodes },
  request: RequestFacts,
): Promise<AlertRecord> {
  return deps.decide([id], async (read) => {
    await deps.requireRights(read, principal, { scope: "node:admin", now: request.now });
    const found = await read.get(alertKind.key(id));
    // An alert of a node that somebody may not see is none to them.
    if (found === undefined || !seen.has(found.value.node))
      throw fault("alert.unknown", `there is no open alert ${id}`);
    const { value } = found;
    if (value.acknowledged !== null) return { result: () => value };
    const by = actorOf(principal);
    const name = (await read.get(userKind.key(principal.id)))?.value.username ?? null;
    const after = { ...value, acknowledged: { by, name, at: request.now, note: note ?? null } };
    return {
      entry: entryOf(request, {
        actor: by,
        action: "alert.acknowledged",
        subject: found.key.text,
        detail: {
          alert: id,
          rule: value.rule,
          node: value.node,
          name: value.nodeName,
          ...(note !== undefined && { note }),
        },
      }),
      changes: [put(found, after)],
      result: () => after,
    };
  });
}
