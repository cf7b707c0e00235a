import { helps } from "../status/helps.ts"; // breaks: agent-network-part-applies-nothing
export const reads = helps;
