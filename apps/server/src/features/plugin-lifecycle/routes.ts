import type * as z from "zod";
import type { Scope } from "@gatehouse/contract";
import { movePluginRoute, type Plugin, pluginsRoute } from "@gatehouse/contract/routes";
import type { Store } from "@gatehouse/store";
import type { Reads } from "@gatehouse/store/decide";
import { type Principal, type RequestFacts, type Route, route } from "../../platform/route/index.ts";
import type { Bundles } from "../plugin-bundles/index.ts";
import type { Runtime } from "../plugin-runtime/index.ts";
import { type PluginRecord, pluginKind } from "./records.ts";
import { requestTransition, type TransitionDeps } from "./request-transition.ts";
import { viewPlugin } from "./view.ts";
import type { Actor } from "./write-move.ts";

/** What confines plugins on this host, as it was found at the start. */
export type SandboxView = z.output<(typeof pluginsRoute)["responses"][200]>["sandbox"];

export interface LifecycleRoutesDeps extends TransitionDeps {
  readonly store: Pick<Store, "get" | "list">;
  readonly bundles: Pick<Bundles, "findLoaded" | "findRejection" | "judge" | "rejections">;
  readonly runtime: Pick<Runtime, "arm" | "disarm" | "stateOf">;
  readonly sandbox: SandboxView;
  readonly requireRights: (read: Reads, principal: Principal, now: number) => Promise<void>;
}

export function lifecycleRoutes(deps: LifecycleRoutesDeps): readonly Route[] {
  const view = (record: PluginRecord, { scopes }: Principal) => viewNow(deps, record, scopes);
  return [
    route(pluginsRoute, async ({ principal, query }) => {
      const limit = Number(query.limit ?? 100);
      const after = query.cursor === undefined ? {} : { after: pluginKind.key(query.cursor) };
      const found = await deps.store.list(pluginKind, { limit: limit + 1, ...after });
      const page = found.slice(0, limit);
      return {
        items: page.filter(({ value }) => value.closedAt === null).map(({ value }) => view(value, principal)),
        rejections: [...deps.bundles.rejections],
        sandbox: deps.sandbox,
        nextCursor: found.length > limit ? (page.at(-1)?.value.id ?? null) : null,
      };
    }),
    route(movePluginRoute, async ({ principal, body, request }) => {
      const { value } = await requestTransition(deps, actorOf(deps, principal, request), body);
      return view(value, principal);
    }),
  ];
}

/** A record with what is true of it now; what it contributes is judged for whoever holds these scopes. */
export function viewNow(
  deps: Pick<LifecycleRoutesDeps, "isFirstParty"> & {
    readonly bundles: Pick<Bundles, "findLoaded" | "findRejection">;
    readonly runtime: Pick<Runtime, "stateOf">;
  },
  record: PluginRecord,
  scopes: ReadonlySet<Scope>,
): Plugin {
  const loaded = deps.bundles.findLoaded(record.id);
  const isAvailable = loaded?.payloadSha256 === record.payloadSha256;
  return viewPlugin(record, {
    isAvailable,
    isFirstParty: deps.isFirstParty(record.publisher),
    runtime: deps.runtime.stateOf(record.id),
    missing: isAvailable ? undefined : missing(deps.bundles, record.id),
    signers: isAvailable ? loaded?.signers : undefined,
    scopes,
  });
}

function missing(bundles: Pick<Bundles, "findRejection">, id: string): string {
  return bundles.findRejection(id)?.detail ?? "there was no bundle of this plugin at the last start";
}

/** A user acts under their id, a token under its own. */
function actorOf(deps: LifecycleRoutesDeps, principal: Principal, request: RequestFacts): Actor {
  const { kind, id } = principal.credential;
  return {
    name: kind === "token" ? `token:${id}` : principal.id,
    requestId: request.requestId,
    address: request.clientAddress,
    requireRights: (read) => deps.requireRights(read, principal, deps.clock.now()),
  };
}
