/**
 * Harness: tries a plugin at its author's desk, with a broker that keeps everything in memory.
 * Never opens a connection for a plugin and never touches a server or a host.
 */
export { type MemoryBrokerOptions, openMemoryBroker } from "./memory-broker.ts";
