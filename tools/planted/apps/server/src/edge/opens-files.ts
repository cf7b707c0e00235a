import { nodeVfs } from "@gatehouse/files"; // breaks: edge-touches-no-machine
export const opens = nodeVfs;
