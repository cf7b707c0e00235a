import { join } from "node:path";
import { type Clock, runAll } from "@gatehouse/base";
import { artifactName } from "@gatehouse/bundle/verify";
import { isFault } from "@gatehouse/contract";
import { openLauncher } from "@gatehouse/sandbox";
import type { Secrets, Store } from "@gatehouse/store";
import type { Decide } from "@gatehouse/store/decide";
import type { Config } from "./config.ts";
import type { Identity } from "./features/auth/index.ts";
import { marketplaceRoutes, type openMarketplace } from "./features/marketplace/index.ts";
import {
  fetchHandlers,
  kvHandlers,
  logHandlers,
  type MetricDeps,
  metricHandlers,
  type NodeDeps,
  nodeHandlers,
  openBroker,
} from "./features/plugin-broker/index.ts";
import { bundleRoutes, openBundles, type openTrust } from "./features/plugin-bundles/index.ts";
import { openLifecycle } from "./features/plugin-lifecycle/index.ts";
import {
  type Asker,
  askPlan,
  closeQuestions,
  noRunner,
  openBook,
  openOwnQuestions,
  openRuntime,
  type PlanRequest,
  type Runner,
  runtimeRoutes,
  type RuntimeRoutesDeps,
  systemRunner,
} from "./features/plugin-runtime/index.ts";
import { openPluginLines, pluginUiRoutes } from "./features/plugin-ui/index.ts";
import type { Log } from "./platform/log/index.ts";

export interface PluginsDeps
  extends Pick<Identity, "requireRights">,
    NodeDeps,
    MetricDeps,
    Pick<RuntimeRoutesDeps, "findPlanNodes"> {
  readonly config: Pick<Config, "pluginDir" | "pluginTrust" | "pluginSandbox" | "pluginDeadlineFactor" | "runtimeDir">;
  readonly log: Log;
  readonly clock: Clock;
  readonly store: Store;
  readonly decide: Decide;
  readonly secrets: Secrets;
  readonly policy: Awaited<ReturnType<typeof openTrust>>;
  readonly marketplace: Awaited<ReturnType<typeof openMarketplace>>;
  /** In the place of the real one, for tests. */
  readonly runner: Runner | undefined;
}

/** Loader, runtime, lifecycle, contributions. When this resolves, every record agrees with what lies on the disk. */
export async function openPlugins(deps: PluginsDeps) {
  const { config, log, clock, store, decide, policy, marketplace, requireRights } = deps;
  const bundles = await openBundles({ directory: config.pluginDir, policy, clock, log });
  const { runner, sandbox, close } = await openRunner(deps, bundles.accepted.size > 0);
  const book = openBook({ store, log });
  const runtime = openRuntime({ runner, log, clock, book });
  // What runs is ended by detaching it; only then is everything said that there is to say.
  const closers = [() => runtime.close(), () => book.settle(), close];
  const closeAll = () => runAll(closers);
  try {
    await closeQuestions({ store, book, clock, log });
    const lifecycle = await openLifecycle({
      store,
      clock,
      log,
      bundles,
      runtime,
      sandbox,
      isFirstParty: (publisher) => policy.publishers.get(publisher)?.firstParty === true,
      decide,
      requireRights: (read, principal, now) => requireRights(read, principal, { scope: "plugin:admin", now }),
    });
    const asking = {
      runtime,
      book,
      store,
      clock,
      log,
      activationOf: (id: string) => lifecycle.activationOf(id),
      capabilitiesOf: (id: string) => bundles.findLoaded(id)?.manifest,
    };
    const ownQuestions = openOwnQuestions(asking);
    closers.splice(1, 0, () => ownQuestions.close());
    const trust = { isConfigured: config.pluginTrust !== undefined, policy };
    return {
      routes: [
        ...lifecycle.routes,
        ...runtimeRoutes({ ...asking, ownQuestions, findPlanNodes: deps.findPlanNodes }),
        ...bundleRoutes({ bundles, trust, clock }),
        ...pluginUiRoutes({ lifecycle }),
        ...openPluginLines({ lifecycle, look: (id) => ownQuestions.look(id) }),
        ...marketplaceRoutes({ items: marketplace, isPlaced: (id) => bundles.accepted.has(id) }),
      ],
      /** For plans that are kept: the same question with what hosts said. */
      askPlan: (asker: Asker, request: PlanRequest) => askPlan(asking, asker, request),
      listPlugins: () => lifecycle.listPlugins(),
      rejections: bundles.rejections,
      /** A plan has ended: plugins may have other lines to draw. */
      renew: () => ownQuestions.renew(),
      close: closeAll,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/**
 * What runs plugins, and everything a plugin can reach: the table of handlers below is complete. A host on which none can
 * run still serves everything else; the reason is told where somebody would look.
 */
async function openRunner(deps: PluginsDeps, hasBundles: boolean) {
  const { config, log, clock, store, decide, secrets, runner, listNodes, readMetrics } = deps;
  const least = config.pluginSandbox;
  const none = (message: string, isTried: boolean) => ({
    runner: noRunner(message),
    sandbox: { level: null, isTried, least, message },
    close: () => Promise.resolve(),
  });
  if (runner !== undefined) return { ...none("a runner of somebody else's", false), runner };
  if (!hasBundles) return none("not tried: no bundle was loaded", false);
  const broker = openBroker({
    handlers: {
      ...kvHandlers({ store, decide, clock, secrets }),
      ...logHandlers({ log }),
      ...nodeHandlers({ listNodes }),
      ...metricHandlers({ readMetrics }),
      ...fetchHandlers({ log }),
    },
    log,
  });
  try {
    const onTrouble = (message: string) => log.warn(message, {});
    const launcher = await openLauncher({ runtimeDirectory: config.runtimeDir, least, onTrouble });
    const message = launcher.tried.map(({ level, reason }) => `${level}: ${reason}`).join("; ");
    log.info("plugins are sandboxed", { level: launcher.level, least });
    return {
      runner: systemRunner({
        launcher,
        broker,
        clock,
        deadlineFactor: config.pluginDeadlineFactor,
        artifactPath: (id) => join(config.pluginDir, id, artifactName),
      }),
      sandbox: { level: launcher.level, isTried: true, least, message },
      close: () => launcher.close(),
    };
  } catch (error) {
    const reason = isFault(error) ? error.detail : `the runtime directory or the launcher failed: ${messageOf(error)}`;
    log.warn("no plugin can run here", { reason });
    return none(reason, true);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "an unknown error";
}
