import { nodeDriftKind, nodeKind } from "@gatehouse/contract/records";
import type { Node } from "@gatehouse/contract/routes";
import { listRecords } from "@gatehouse/store/decide";
import type { FleetDeps } from "./fleet-deps.ts";
import type { Presence, Seen } from "./presence.ts";
import { countDrift } from "./view-drift.ts";

/** What says whether somebody has to look at a node, and nothing that is dear to make. */
export interface SurveyedNode extends Pick<Seen, "since" | "address" | "skewMs" | "rival"> {
  readonly id: string;
  readonly name: string;
  readonly state: Node["state"];
  readonly agentVersion: string | undefined;
  readonly drift: { readonly parts: number; readonly since: number } | undefined;
}

/** Passes every node once, in pieces: none is held here. */
export async function surveyNodes(
  { store, presence }: Pick<FleetDeps, "store"> & { readonly presence: Pick<Presence, "seen"> },
  visit: (node: SurveyedNode) => void,
): Promise<void> {
  const drifts = new Map(
    (await listRecords(store, nodeDriftKind)).map(({ key, value }) => [key.id, countDrift(value)]),
  );
  let after: string | undefined;
  for (;;) {
    const found = await store.list(nodeKind, {
      limit: pieceNodes,
      ...(after !== undefined && { after: nodeKind.key(after) }),
    });
    for (const { value } of found) {
      const drift = drifts.get(value.id) ?? undefined;
      const { state, since, address, skewMs, rival } = presence.seen(value.id);
      visit({
        id: value.id,
        name: value.name,
        state: value.revokedAt === undefined ? state : "revoked",
        since,
        address,
        skewMs,
        rival,
        agentVersion: value.facts?.agentVersion,
        drift: drift && { parts: drift.parts, since: Date.parse(drift.since) },
      });
    }
    if (found.length < pieceNodes) return;
    after = found.at(-1)?.value.id;
  }
}

const pieceNodes = 1_000;
