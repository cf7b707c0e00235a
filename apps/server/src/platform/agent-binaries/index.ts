/**
 * Agent binaries: what `npm run agent:build` made for hosts, with digests, read from the disk as it is sent.
 * Never runs one, and joins no request path to a folder: the names are two, and are known here.
 */
export { type AgentBinaries, type AgentFile, loadAgentBinaries } from "./load-agent-binaries.ts";
