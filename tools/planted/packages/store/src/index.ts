import { open } from "node:fs/promises";
import { clock } from "@gatehouse/base";
import { route } from "@gatehouse/contract";
import { nodeVfs } from "@gatehouse/files";
export interface Store {
  get(): unknown;
}
export const openFileStore = (): unknown => [open, clock, route, nodeVfs];
