import type { AuditEntryView, WhoAmI } from "@gatehouse/contract/routes";
import { useMemo } from "react";
import { useWhoAmI } from "../../api/auth.ts";
import { type ActorNames, useActorNames } from "./use-actor-names.ts";

/** What the cells of a long list need to know, asked once and not by each cell. */
export interface AuditReader {
  readonly names: ActorNames;
  readonly who: WhoAmI;
}

export function useAuditReader(entries: readonly AuditEntryView[]): AuditReader {
  const who = useWhoAmI();
  const names = useActorNames(entries);
  return useMemo(() => ({ names, who }), [names, who]);
}
