import { lookup } from "node:dns/promises"; // breaks: only-edge-speaks-http
export const looksUp = lookup;
