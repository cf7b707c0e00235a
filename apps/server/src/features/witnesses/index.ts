/**
 * Witnesses: signs the head of the audit log for the hosts, hears what they hold of it, and says which of them do not believe it.
 * Never takes the log's side: whoever knows better is shown until they say that they are well again.
 */
import { auditWitnessesRoute } from "@gatehouse/contract/routes";
import { type Route, route } from "../../platform/route/index.ts";
import { type HeadLine, type HeadLineDeps, openHeadLine } from "./head-line.ts";
import { type HeardHosts, type HearHostsDeps, openHeardHosts } from "./hear-hosts.ts";
import { listWitnesses, type ListWitnessesDeps } from "./list-witnesses.ts";

export type WitnessesDeps = HeadLineDeps & Omit<HearHostsDeps, "line"> & Pick<ListWitnessesDeps, "store">;

export interface Witnesses extends Pick<HeadLine, "page" | "onHead" | "close">, Pick<HeardHosts, "told" | "left"> {
  readonly routes: readonly Route[];
  /** The newest head, signed; undefined before the first. */
  newest(): string | undefined;
}

export function openWitnesses(deps: WitnessesDeps): Witnesses {
  const line = openHeadLine(deps);
  const heard = openHeardHosts({ ...deps, line });
  return {
    routes: [
      route(auditWitnessesRoute, ({ query }) =>
        listWitnesses({ ...deps, line, heard }, { ...query, limit: Number(query.limit ?? 100) }),
      ),
    ],
    newest: () => line.newest()?.signed,
    page: (from) => line.page(from),
    onHead: (listener) => line.onHead(listener),
    told: (...word) => heard.told(...word),
    left: (nodeId) => heard.left(nodeId),
    close: () => line.close(),
  };
}
