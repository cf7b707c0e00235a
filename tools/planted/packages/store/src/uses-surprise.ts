import { used } from "../../surprise/src/used.ts"; // breaks: layer-unknown-imported, packages-by-name, store-imports-base-and-contract
export const surprise = used;
