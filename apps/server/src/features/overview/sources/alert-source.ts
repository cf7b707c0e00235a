import type { Alert } from "@gatehouse/contract/routes";
import type { SeenNodes } from "../../../platform/route/index.ts";
import { cutFindings, type OverviewSource } from "../overview-source.ts";

export interface AlertSourceDeps {
  /** Open alerts of these nodes, what should be looked at first before the others. */
  readonly list: (seen: SeenNodes) => Promise<readonly Alert[]>;
}

/** A host that is offline stands there as such; and of what is silenced nobody is to be told. */
export function alertSource({ list }: AlertSourceDeps): OverviewSource {
  return {
    about: "alerts",
    kinds: ["alert"],
    read: async ({ seen }) => {
      const told = (await list(seen)).filter(({ kind, silencedUntil }) => kind !== "offline" && silencedUntil === null);
      return [
        cutFindings("alert", told, (alert) => ({
          subject: { type: "node", id: alert.node, name: alert.nodeName } as const,
          title: `${alert.nodeName}: ${alert.condition}`,
          line: sayCare(alert),
          since: Date.parse(alert.since),
        })),
      ];
    },
  };
}

function sayCare({ acknowledged }: Alert): string {
  return acknowledged === null ? "Nobody looks after it yet." : `${acknowledged.name ?? "Somebody"} looks after it.`;
}
