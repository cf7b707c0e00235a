/**
 * Plugin UI: tells the dashboard which contributions of active plugins the caller may see.
 * Never carries code: a contribution names a component that the dashboard has, or it is left out.
 */
export { type PluginUiDeps, pluginUiRoutes } from "./routes.ts";
