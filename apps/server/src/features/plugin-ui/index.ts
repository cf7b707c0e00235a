/**
 * Plugin UI: tells the dashboard which contributions of active plugins the caller may see, and the lines that they draw on its map.
 * Never carries code: a contribution names a component that the dashboard has, or it is left out.
 */
export { openPluginLines, type PluginLinesDeps } from "./plugin-lines.ts";
export { type PluginUiDeps, pluginUiRoutes } from "./routes.ts";
