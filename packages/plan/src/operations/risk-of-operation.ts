import type { OperationKind } from "./table.ts";

/**
 * Classes of what a section does, each with its own number of approvers: what can cut a host off is `network`, what replaces
 * the programs that are trusted there is `update`.
 */
export type RiskClass = "change" | "network" | "update";

export const riskOfOperation: Readonly<Record<OperationKind, RiskClass>> = {
  "firewall.apply": "network",
  "network.wireguard": "network",
  "service.restart": "change",
  "file.write": "change",
  "binary.replace": "update",
  "agent.update": "update",
  "log.tail": "change",
};
