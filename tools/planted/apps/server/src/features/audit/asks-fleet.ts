import { fleet } from "../fleet/index.ts"; // breaks: feature-edges-leaf
export const asks = fleet;
