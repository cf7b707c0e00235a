import { nodeKind } from "@gatehouse/contract/records";
import type { Node } from "@gatehouse/contract/routes";
import type { FleetDeps } from "./fleet-deps.ts";
import type { Presence, Seen } from "./presence.ts";

/** What says whether somebody has to look at a node, and nothing that is dear to make. */
export interface SurveyedNode extends Pick<Seen, "since" | "address" | "skewMs" | "rival"> {
  readonly id: string;
  readonly name: string;
  readonly state: Node["state"];
  readonly agentVersion: string | undefined;
}

/** Passes every node once, in pieces: none is held here. */
export async function surveyNodes(
  { store, presence }: Pick<FleetDeps, "store"> & { readonly presence: Pick<Presence, "seen"> },
  visit: (node: SurveyedNode) => void,
): Promise<void> {
  let after: string | undefined;
  for (;;) {
    const found = await store.list(nodeKind, {
      limit: pieceNodes,
      ...(after !== undefined && { after: nodeKind.key(after) }),
    });
    for (const { value } of found) {
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
      });
    }
    if (found.length < pieceNodes) return;
    after = found.at(-1)?.value.id;
  }
}

const pieceNodes = 1_000;
