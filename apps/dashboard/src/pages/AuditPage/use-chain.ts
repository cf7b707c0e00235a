import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { auditCheckQuery, verifyAudit } from "../../api/audit.ts";
import { disbeliefQuery, witnessesQuery } from "../../api/witnesses.ts";
import { chainVerdict } from "../../widgets/chain-verdict.ts";
import { findDisbelief } from "../../widgets/disbelief.ts";
import { chainEnds } from "./chain-ends.ts";

export type Chain = ReturnType<typeof useChain>;

/** Whether the log is as it was written: what the server found by itself, what it finds when it is asked, and what hosts say of it. */
export function useChain() {
  const client = useQueryClient();
  const check = useQuery(auditCheckQuery);
  const witnesses = useQuery(witnessesQuery);
  const refusing = useQuery(disbeliefQuery);
  // Held by this page alone, and gone with it.
  const asked = useMutation({
    mutationFn: async () => ({ found: await verifyAudit(), at: Date.now() }),
    onSettled: () => client.invalidateQueries({ queryKey: auditCheckQuery.queryKey }),
  });
  const verdict = chainVerdict(check.data, asked.data?.found);
  const ends = chainEnds(verdict, check.data);
  return { check, witnesses, asked, verdict, ends, disbelief: findDisbelief(refusing.data) };
}

/** How many hosts say so. Beyond what one answer holds all that refuse are counted, also those that only cannot tell. */
export function countDisbelief({ disbelief, witnesses }: Pick<Chain, "disbelief" | "witnesses">): number {
  const counted = disbelief?.hosts.length ?? 0;
  return disbelief?.isCut === true ? Math.max(counted, witnesses.data?.summary.refuse ?? 0) : counted;
}
