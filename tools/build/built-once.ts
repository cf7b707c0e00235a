import { bundleDashboard } from "./bundle-dashboard.ts";
import { type BuiltSite, makeSite, type SiteSources } from "./site-files.ts";

let sources: Promise<SiteSources> | undefined;
let site: Promise<BuiltSite> | undefined;

/** For the tests that look at the dashboard as it is built: seconds of work, done once for all of them in a process. */
export function bundledOnce(): Promise<SiteSources> {
  sources ??= bundleDashboard();
  return sources;
}

export function builtOnce(): Promise<BuiltSite> {
  site ??= bundledOnce().then((bundled) => makeSite(bundled));
  return site;
}
