import { join } from "node:path"; // breaks: layer-unknown-importer
export const thing = join;
