import { WebSocket } from "ws"; // breaks: only-edge-speaks-http
export const sockets = WebSocket;
