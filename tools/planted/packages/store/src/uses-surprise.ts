import { used } from "../../surprise/src/used.ts"; // breaks: layer-unknown-imported, packages-by-name, store-imports-files-and-below
export const surprise = used;
