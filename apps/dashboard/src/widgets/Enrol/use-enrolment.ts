import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { enrolmentsQuery, type NewEnrolment, revokeEnrolment, whileWaitingMs } from "../../api/enrolments.ts";
import { changeNode, nodeQuery, nodesQuery } from "../../api/nodes.ts";
import { type EnrolProgress, enrolProgress } from "./enrol-progress.ts";

/** Follows one code until its host is here, and can end it at every stage. */
export function useEnrolment({ id }: NewEnrolment) {
  const client = useQueryClient();
  const listed = useQuery(enrolmentsQuery([id]));
  const nodeId = listed.data?.find((one) => one.id === id)?.nodeId ?? undefined;
  const node = useQuery({
    ...nodeQuery(nodeId ?? ""),
    enabled: nodeId !== undefined,
    refetchInterval: ({ state }) => (state.data?.data.state === "online" ? 10_000 : whileWaitingMs),
  });
  const progress: EnrolProgress = enrolProgress(listed.data, id, node.data?.data);
  useEffect(() => {
    // The list under the dialog shows the newcomer at once.
    if (nodeId !== undefined) void client.invalidateQueries({ queryKey: nodesQuery.queryKey });
  }, [client, nodeId, progress.kind]);
  const cancel = useMutation({
    mutationFn: () => revokeEnrolment(id),
    onSettled: () => client.invalidateQueries({ queryKey: ["enrolments"] }),
  });
  const turnAway = useMutation({
    mutationFn: async () => {
      if (nodeId === undefined) return;
      // Read once more: the newcomer's first facts have changed its record meanwhile.
      const { etag } = await client.fetchQuery({ ...nodeQuery(nodeId), staleTime: 0 });
      if (etag === undefined) throw new Error("the node was read without an ETag");
      await changeNode(nodeId, etag, { revoked: true });
    },
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ["node"] }),
        client.invalidateQueries({ queryKey: nodesQuery.queryKey }),
      ]),
  });
  return { progress, error: listed.error, cancel, turnAway };
}

/** How long a code still lasts: by this machine's clock since it came, so that a clock that is wrong is wrong twice. */
export function useTimeLeft({ createdAt, expiresAt }: NewEnrolment): { readonly left: number; readonly whole: number } {
  const whole = Date.parse(expiresAt) - Date.parse(createdAt);
  const [cameAt] = useState(() => Date.now());
  const [now, setNow] = useState(cameAt);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return { left: Math.max(0, whole - (now - cameAt)), whole };
}
