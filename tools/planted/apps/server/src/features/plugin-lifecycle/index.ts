import { bundles } from "../plugin-bundles/index.ts";
import { runtime } from "../plugin-runtime/index.ts";
export const lifecycle = [bundles, runtime];
