import { request } from "node:http"; // breaks: only-edge-speaks-http
export const sends = request;
