import { lifecycle } from "../plugin-lifecycle/index.ts"; // breaks: feature-edges-plugin-runtime
export const back = lifecycle;
