import { broker } from "../plugin-broker/index.ts";
export const runtime = broker;
