import type { Node } from "@gatehouse/contract/routes";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { alertsQuery } from "../../api/alerts.ts";
import { useMay } from "../../api/auth.ts";
import { withCauses } from "./causes.ts";

/** The nodes, and of those with an alert that nobody looks after why they need a look. Before the alerts are here, the nodes alone. */
export function useCauses(nodes: readonly Node[] | undefined): readonly Node[] | undefined {
  const alerts = useQuery({ ...alertsQuery(), enabled: useMay("node:read") }).data;
  return useMemo(
    () => (nodes === undefined || alerts === undefined ? nodes : withCauses(nodes, alerts.items)),
    [nodes, alerts],
  );
}
