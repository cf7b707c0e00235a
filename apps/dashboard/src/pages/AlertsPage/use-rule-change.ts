import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { changeRule, type RuleChange, readRule, removeRule } from "../../api/alert-changes.ts";
import type { AlertRule } from "../../api/alerts.ts";
import { isApiError } from "../../api/api-error.ts";

export type RuleMove = RuleChange | "remove";

/**
 * A rule as read when the sheet was opened, and changes to exactly that version. A live event does not renew it: a change is
 * made to what the person saw, or refused as stale and shown again.
 */
export function useRuleChange(id: string, onGone: () => void) {
  const client = useQueryClient();
  const key = ["alert-rule-record", id] as const;
  const read = useQuery({
    queryKey: key,
    queryFn: () => readRule(id),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const change = useMutation({
    mutationFn: async (move: RuleMove): Promise<AlertRule | undefined> => {
      const etag = read.data?.etag;
      if (etag === undefined) throw new Error("the rule was read without an ETag");
      return move === "remove" ? removeRule(id, etag) : changeRule(id, etag, move);
    },
    onError: (error) => {
      if (isApiError(error, "alert.rule_unknown")) onGone();
    },
    onSettled: (_rule, error) => {
      void client.invalidateQueries({ queryKey: ["alert-rules"] });
      if (error !== null) void client.invalidateQueries({ queryKey: key });
    },
  });
  return { read, change, isStale: isApiError(change.error, "request.stale") };
}
