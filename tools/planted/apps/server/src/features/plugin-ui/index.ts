import { lifecycle } from "../plugin-lifecycle/index.ts";
export const ui = lifecycle;
