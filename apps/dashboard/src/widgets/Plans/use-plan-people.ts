import type { AuditEntryView } from "@gatehouse/contract/routes";
import { useQuery } from "@tanstack/react-query";
import { namesInLogQuery } from "../../api/audit.ts";
import { useMay } from "../../api/auth.ts";
import { useWho } from "../AuditSentence/use-who.ts";

const none: readonly AuditEntryView[] = [];

/** What authors and approvers are called. Who does not read the list of users learns it from the log. */
export function usePlanPeople(): (actor: string) => string {
  const [mayUsers, mayAudit] = [useMay("user:admin"), useMay("audit:read")];
  const entries = useQuery({ ...namesInLogQuery, enabled: mayAudit && !mayUsers });
  return useWho(entries.data?.items ?? none);
}
