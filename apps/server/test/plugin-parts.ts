import type { Clock } from "@gatehouse/base";
import type { Store } from "@gatehouse/store";
import type { Decide } from "@gatehouse/store/decide";
import type { Identity } from "../src/features/auth/index.ts";
import { bundleRoutes, openBundles, openTrust } from "../src/features/plugin-bundles/index.ts";
import { openLifecycle } from "../src/features/plugin-lifecycle/index.ts";
import {
  noRunner,
  openBook,
  openOwnQuestions,
  openRuntime,
  type Runner,
  runtimeRoutes,
  type RuntimeRoutesDeps,
} from "../src/features/plugin-runtime/index.ts";
import { openPluginLines, pluginUiRoutes } from "../src/features/plugin-ui/index.ts";
import type { Log } from "../src/platform/log/index.ts";
import type { Route } from "../src/platform/route/index.ts";

/** Bundles that lie somewhere, whom to trust, and what arms them. */
export interface TestPlugins {
  readonly directory: string;
  readonly trust: string;
  readonly runner: Runner;
}

interface PluginPartsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly decide: Decide;
  readonly requireRights: Identity["requireRights"];
}

/** Plugins as compose builds them; without any where a test names none. */
export async function openPluginParts(
  { store, clock, log, decide, requireRights }: PluginPartsDeps,
  plugins: TestPlugins | undefined,
) {
  const policy = await openTrust({
    source: plugins && { inline: plugins.trust },
    readFile: () => Promise.reject(new Error("no file")),
  });
  const bundles = await openBundles({ directory: plugins?.directory ?? "/nowhere/plugins", policy, clock, log });
  const book = openBook({ store, log });
  const runtime = openRuntime({ runner: plugins?.runner ?? noRunner("these tests run no plugin"), log, clock, book });
  const lifecycle = await openLifecycle({
    store,
    clock,
    log,
    bundles,
    runtime,
    sandbox: { level: null, isTried: false, least: "landlock", message: "these tests run no plugin" },
    isFirstParty: () => false,
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
  const routes = (findPlanNodes: RuntimeRoutesDeps["findPlanNodes"]): readonly Route[] => [
    ...lifecycle.routes,
    ...runtimeRoutes({ ...asking, ownQuestions, findPlanNodes }),
    ...bundleRoutes({ bundles, trust: { isConfigured: false, policy }, clock }),
    ...pluginUiRoutes({ lifecycle }),
    ...openPluginLines({ lifecycle, look: (id) => ownQuestions.look(id) }),
  ];
  return { policy, bundles, lifecycle, asking, routes };
}
