import { nodeVfs } from "@gatehouse/files"; // breaks: features-touch-no-machine
export const opens = nodeVfs;
