import type { Nodes } from "../fleet/index.ts"; // breaks: feature-edges-plugin-lifecycle, activation-changes-no-host
export const carrier: Nodes = [];
