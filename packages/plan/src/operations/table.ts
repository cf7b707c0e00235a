import type { Capability } from "@gatehouse/contract";
import * as z from "zod";
import type { OperationDescriptor } from "./descriptor.ts";
import { agentUpdate } from "./agent-update.ts";
import { binaryReplace } from "./binary-replace.ts";
import { fileWrite } from "./file-write.ts";
import { firewallApply } from "./firewall/firewall-apply.ts";
import { logTail } from "./log-tail.ts";
import { serviceRestart } from "./service-restart.ts";
import { networkWireguard } from "./wireguard/network-wireguard.ts";

/** Everything an agent can be asked to do. There is no operation that runs a text. */
export const operations = {
  "firewall.apply": firewallApply,
  "network.wireguard": networkWireguard,
  "service.restart": serviceRestart,
  "file.write": fileWrite,
  "binary.replace": binaryReplace,
  "agent.update": agentUpdate,
  "log.tail": logTail,
} as const;

export type OperationKind = keyof typeof operations;
export const operationKinds = Object.keys(operations) as readonly OperationKind[];

/** Which capability each kind needs, as an operator reads it. Null: no plugin's plan may hold the kind. */
export const capabilityOfOperation = Object.fromEntries(
  operationKinds.map((kind) => [kind, operations[kind].capability]),
) as Readonly<Record<OperationKind, Capability | null>>;

export const operation = z.discriminatedUnion("kind", [
  firewallApply.schema,
  networkWireguard.schema,
  serviceRestart.schema,
  fileWrite.schema,
  binaryReplace.schema,
  agentUpdate.schema,
  logTail.schema,
]);
export type Operation = z.output<typeof operation>;

/** The part of the host that an operation replaces; null when it only reads. */
export function subjectOf(one: Operation): string | null {
  // Each descriptor takes the operation of its own kind, and it is found by that kind.
  const { subject } = operations[one.kind] as { subject: (operation: Operation) => string | null };
  return subject(one);
}

/** What else of a host the lint of these operations wants to know. */
export function lintReadsOf(all: readonly Operation[]): string[] {
  return [...new Set(all.flatMap(({ kind }) => (operations[kind] as OperationDescriptor).lintReads ?? []))];
}

/** The earliest schema that can hold these operations: a plan has no later one than it needs, so that older hosts still read it. */
export function planSchemaOf(all: readonly Operation[]): 1 | 2 {
  return all.some(({ kind }) => (operations[kind] as OperationDescriptor).planSchema === 2) ? 2 : 1;
}
