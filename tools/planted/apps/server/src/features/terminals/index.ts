import { fleet } from "../fleet/index.ts";
export const terminals = fleet;
