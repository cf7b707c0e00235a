import type { Socket } from "node:net";
export type LocalConnection = Socket;
