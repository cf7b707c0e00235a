/**
 * Plugin bundles: loads the bundles of the plugin directory at the start, judges one again when asked, and shows the policy.
 * Never accepts what the trust policy does not, never writes to the directory, and never signs.
 */
export type { Judged } from "./judge-on-disk.ts";
export { type Bundles, type BundlesDeps, openBundles } from "./open-bundles.ts";
export { openTrust, type TrustDeps } from "./open-trust.ts";
export { type BundleRoutesDeps, bundleRoutes } from "./routes.ts";
