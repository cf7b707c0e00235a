/**
 * Plugin lifecycle: owns the four states of a plugin and the only moves between them, each with its audit entry.
 * Never runs a plugin itself, never judges a bundle's bytes, and never touches a node.
 */
export { type VisibilityFacts, visibleContributions } from "./contributions.ts";
export { type ActivePlugin, type Lifecycle, type LifecycleDeps, openLifecycle } from "./open-lifecycle.ts";
