import { open } from "node:fs/promises";
import { route } from "@gatehouse/contract";
export const nodeVfs = { open, route };
