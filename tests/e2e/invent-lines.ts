import type { NodeRecord } from "@gatehouse/contract/records";

const pairs = [
  ["fra1", "nyc3", "up", "wg-edge"],
  ["nyc3", "sjc1", "up", "wg-edge"],
  ["fra1", "ams1", "up", "wg-edge"],
  ["fra1", "lhr2", "up", "wg-edge"],
  ["fra1", "sgp1", "up", "wg-edge"],
  ["gru1", "fra1", "degraded", "last handshake 03:08"],
  ["sgp1", "syd1", "down", "wg-edge"],
] as const;

/** A line between two sites of an invented fleet for each of these, as a plugin says them. */
export function inventLines(
  nodes: readonly NodeRecord[],
): readonly Readonly<Record<"from" | "to" | "label" | "state", string>>[] {
  const hostOf = (site: string): string | undefined =>
    nodes.find(({ name, place, revokedAt }) => name.startsWith(site) && place !== undefined && revokedAt === undefined)
      ?.id;
  return pairs.flatMap(([one, other, state, label]) => {
    const [from, to] = [hostOf(one), hostOf(other)];
    return from === undefined || to === undefined ? [] : [{ from, to, label, state }];
  });
}
