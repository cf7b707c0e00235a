import type { Scope } from "@gatehouse/contract";
import { type ServerSettingsRecord, serverSettingsKey } from "@gatehouse/contract/records";
import {
  changeSettingsRoute,
  plansStopRoute,
  type ServerSettings,
  settingsRoute,
  stopPlansRoute,
} from "@gatehouse/contract/routes";
import { create, type Decide, put, type Reads } from "@gatehouse/store/decide";
import { actorOf, entryOf, type Principal, type Route, route } from "../../platform/route/index.ts";

export interface SettingsDeps {
  readonly store: Reads;
  readonly decide: Decide;
  readonly requireRights: (
    read: Reads,
    principal: Principal,
    asked: { readonly scope: Scope; readonly now: number },
  ) => Promise<unknown>;
}

/** Until somebody decided: nobody approves what they made themselves, and nothing is stopped. */
const unsaid: ServerSettingsRecord = { plans: { selfApproval: false, stopped: null } };

export async function readServerSettings(read: Reads): Promise<ServerSettingsRecord> {
  return (await read.get(serverSettingsKey))?.value ?? unsaid;
}

export function settingsRoutes(deps: SettingsDeps): readonly Route[] {
  return [
    route(settingsRoute, async () => view(await readServerSettings(deps.store))),
    route(changeSettingsRoute, async ({ principal, body, request }) =>
      view(
        await deps.decide([serverSettingsKey.text], async (read) => {
          await deps.requireRights(read, principal, { scope: "settings:admin", now: request.now });
          const { selfApproval, stopped } = (await readServerSettings(read)).plans;
          const after = {
            plans: {
              selfApproval: body.plans.selfApproval ?? selfApproval,
              // The only thing that can be said of the stop here is that it ends.
              stopped: body.plans.stopped === null ? null : stopped,
            },
          };
          return {
            entry: entryOf(request, {
              actor: actorOf(principal),
              action: "settings.changed",
              subject: serverSettingsKey.text,
              detail: {
                changed: Object.keys(body.plans).map((name) => `plans.${name}`),
                selfApproval: after.plans.selfApproval,
                stopped: after.plans.stopped !== null,
              },
            }),
            changes: [await changeTo(read, after)],
            result: () => after,
          };
        }),
      ),
    ),
    route(plansStopRoute, async () => ({ stopped: view(await readServerSettings(deps.store)).plans.stopped })),
    route(stopPlansRoute, async ({ principal, body, request }) =>
      deps.decide([serverSettingsKey.text], async (read) => {
        await deps.requireRights(read, principal, { scope: "plan:stop", now: request.now });
        const before = await readServerSettings(read);
        const answer = (settings: ServerSettingsRecord) => ({ stopped: view(settings).plans.stopped });
        // The first reason stays: somebody who stops what is stopped already changes nothing.
        if (before.plans.stopped !== null) return { result: () => answer(before) };
        const actor = actorOf(principal);
        const after = { plans: { ...before.plans, stopped: { at: request.now, by: actor, reason: body.reason } } };
        return {
          entry: entryOf(request, {
            actor,
            action: "settings.plans_stopped",
            subject: serverSettingsKey.text,
            detail: { reason: body.reason },
          }),
          changes: [await changeTo(read, after)],
          result: () => answer(after),
        };
      }),
    ),
  ];
}

async function changeTo(read: Reads, after: ServerSettingsRecord) {
  const before = await read.get(serverSettingsKey);
  return before === undefined ? create(serverSettingsKey, after) : put(before, after);
}

function view({ plans: { selfApproval, stopped } }: ServerSettingsRecord): ServerSettings {
  return {
    plans: { selfApproval, stopped: stopped === null ? null : { ...stopped, at: new Date(stopped.at).toISOString() } },
  };
}
