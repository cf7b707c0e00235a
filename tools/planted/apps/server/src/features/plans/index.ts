import { fleet } from "../fleet/index.ts";
import { runtime } from "../plugin-runtime/index.ts";
export const plans = [fleet, runtime];
