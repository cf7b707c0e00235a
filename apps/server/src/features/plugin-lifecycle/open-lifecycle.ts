import { type Clock, openTurns } from "@gatehouse/base";
import type { Scope } from "@gatehouse/contract";
import type { Plugin } from "@gatehouse/contract/routes";
import type { Store } from "@gatehouse/store";
import { type Decide, listRecords, type Reads } from "@gatehouse/store/decide";
import type { Log } from "../../platform/log/index.ts";
import type { Principal, Route } from "../../platform/route/index.ts";
import type { Bundles } from "../plugin-bundles/index.ts";
import type { Runtime } from "../plugin-runtime/index.ts";
import type { VisibilityFacts } from "./contributions.ts";
import { findPlugin, pluginKind, type PluginRecord } from "./records.ts";
import { lifecycleRoutes, type SandboxView, viewNow } from "./routes.ts";
import { reconcileAtStart } from "./reconcile-at-start.ts";
import { tellRejections } from "./tell-rejections.ts";

export interface LifecycleDeps {
  readonly store: Pick<Store, "get" | "list" | "commit" | "searchAudit">;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  readonly bundles: Bundles;
  readonly runtime: Runtime;
  readonly sandbox: SandboxView;
  /** Whether the trust policy of today calls a publisher first-party. */
  readonly isFirstParty: (publisher: string) => boolean;
  readonly decide: Decide;
  /** Reads again whether the principal may still move plugins, and refuses if not. */
  readonly requireRights: (read: Reads, principal: Principal, now: number) => Promise<void>;
}

export interface ActivePlugin {
  readonly record: PluginRecord;
  readonly facts: VisibilityFacts;
}

export interface Lifecycle {
  readonly routes: readonly Route[];
  /** Whether a plugin may be asked: its record says so, and what is armed is what was accepted. */
  activationOf(id: string): Promise<"unknown" | "inactive" | "active">;
  /** The plugins that are active and armed, in the order of their ids. */
  activePlugins(): Promise<readonly ActivePlugin[]>;
  /** Every record that is not closed, as it stands; what they contribute is shown to nobody here. */
  listPlugins(): Promise<readonly Plugin[]>;
}

/** Reconciles what the loader found with what is recorded; only then can anybody ask for more. */
export async function openLifecycle(deps: LifecycleDeps): Promise<Lifecycle> {
  const { store, bundles, runtime } = deps;
  await tellRejections(deps);
  await reconcileAtStart(deps);
  return {
    routes: lifecycleRoutes({ ...deps, inTurn: openTurns() }),
    activationOf: async (id) => {
      const stored = await findPlugin(store, id);
      if (stored === undefined || stored.value.closedAt !== null) return "unknown";
      return stored.value.status === "active" && runtime.stateOf(id).state === "armed" ? "active" : "inactive";
    },
    listPlugins: async () => {
      const records = (await listRecords(store, pluginKind)).filter(({ value }) => value.closedAt === null);
      return records.map(({ value }) => viewNow(deps, value, nobodys));
    },
    activePlugins: async () => {
      const found = await Promise.all(runtime.armedIds().map((id) => findPlugin(store, id)));
      return found.flatMap((stored) => {
        // Armed a moment before its entry is durable, it is not active yet.
        if (stored?.value.status !== "active") return [];
        const { id, status, payloadSha256, publisher } = stored.value;
        const isAvailable = bundles.findLoaded(id)?.payloadSha256 === payloadSha256;
        const isArmed = runtime.stateOf(id).state === "armed";
        const facts = { status, isAvailable, isArmed, isFirstParty: deps.isFirstParty(publisher) };
        return [{ record: stored.value, facts }];
      });
    },
  };
}

const nobodys: ReadonlySet<Scope> = new Set();
