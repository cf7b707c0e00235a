import { createServer } from "node:net";
export const door = createServer;
