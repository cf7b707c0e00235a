/** Versions of the protocol that one end speaks. */
export interface VersionRange {
  readonly min: number;
  readonly max: number;
}

/** What this build speaks. The least only rises: what an older version allowed is not to be had by asking for it. */
export const protocolVersions: VersionRange = { min: 1, max: 1 };

/** What the WebSocket handshake offers and confirms, so that nothing else is taken for an agent. */
export const agentSubprotocol = "gatehouse.agent.1";

/** The highest version that both speak; undefined when there is none. */
export function chooseVersion(one: VersionRange, other: VersionRange): number | undefined {
  const highest = Math.min(one.max, other.max);
  return highest >= Math.max(one.min, other.min) ? highest : undefined;
}
