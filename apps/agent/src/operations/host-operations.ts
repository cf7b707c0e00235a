import { type OperationKind, operations } from "@gatehouse/plan";
import { readFileState } from "./read-file-state.ts";
import { readFirewallState } from "./read-firewall-state.ts";
import { readServiceState } from "./read-service-state.ts";
import type { HostOperation } from "./host-operation.ts";

/** Every kind of operation as a host does it; `later` where no host can yet (a test compares it with the plan's own table). */
export const hostOperations = {
  "firewall.apply": {
    prefix: "firewall",
    target: operations["firewall.apply"].schema.shape.table,
    readState: readFirewallState,
  },
  "network.wireguard": "later",
  "service.restart": {
    prefix: "service",
    target: operations["service.restart"].schema.shape.unit,
    readState: readServiceState,
  },
  "file.write": {
    prefix: "file",
    target: operations["file.write"].schema.shape.path,
    readState: readFileState,
  },
  "binary.replace": "later",
  "agent.update": "later",
  "log.tail": "later",
} as const satisfies Record<OperationKind, HostOperation | "later">;
