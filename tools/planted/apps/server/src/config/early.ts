import { bus } from "../platform/bus/index.ts"; // breaks: config-points-down
export const early = bus;
