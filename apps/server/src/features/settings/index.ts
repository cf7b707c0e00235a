/**
 * Settings: what owners decide while the server runs, as one record: whether authors approve their own plans, and the stop of all plans.
 * Never reads a variable of the environment; those are decided before the start.
 */
export { readServerSettings, settingsRoutes } from "./routes.ts";
