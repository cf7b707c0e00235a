import { nodeVfs } from "./index.ts";
export const faultyVfs = nodeVfs;
