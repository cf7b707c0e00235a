import { useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useMay } from "../../api/auth.ts";
import { nodeChangesQuery, type Stretch } from "../../api/metrics.ts";
import { newestPlansQuery } from "../../api/plans.ts";
import { usePlanPeople } from "../Plans/use-plan-people.ts";
import { type HostMark, planMarks } from "./host-marks.ts";

interface FoundMarks {
  readonly marks: readonly HostMark[];
  /** False for whoever may not read the log: nothing is known then. */
  readonly isKnown: boolean;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** What plans did to these hosts in that time. Asked for one host at a time, so that a plan for thousands hides nothing of these. */
export function useHostMarks(nodes: readonly string[], stretch: Stretch, isWanted = true): FoundMarks {
  const [mayAudit, mayPlans] = [useMay("audit:read"), useMay("plan:read")];
  const nameOf = usePlanPeople();
  const reads = useQueries({
    queries: nodes.map((id) => ({ ...nodeChangesQuery(id, stretch), enabled: mayAudit && isWanted })),
    combine: combineReads,
  });
  const newest = useQuery({ ...newestPlansQuery(), enabled: mayAudit && mayPlans && isWanted });
  const plans = newest.data?.items;
  const { answers } = reads;
  const marks = useMemo(() => {
    const known = new Map(plans?.map((plan) => [plan.id, plan]));
    return nodes.flatMap((node, at) =>
      planMarks({ node, entries: answers[at]?.items ?? [], plans: known, mayPlans, nameOf }),
    );
  }, [nodes, answers, plans, mayPlans, nameOf]);
  return {
    marks,
    isKnown: mayAudit,
    isPending: mayAudit && reads.isPending,
    error: reads.error,
    retry: reads.retry,
  };
}

interface Read<Data> {
  readonly data: Data | undefined;
  readonly isPending: boolean;
  /** What nobody asks for is not on its way. */
  readonly isEnabled: boolean;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

/** Many answers as one: the first error, and another try for all that failed. */
export function combineReads<Data>(reads: readonly Read<Data>[]) {
  return {
    answers: reads.map(({ data }) => data),
    isPending: reads.some(({ isPending, isEnabled }) => isPending && isEnabled),
    errors: reads.map(({ error }) => error),
    error: reads.find(({ error }) => error !== null)?.error ?? null,
    retry: () => {
      for (const { error, refetch } of reads) if (error !== null) refetch();
    },
  };
}
