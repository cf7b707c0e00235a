import { type OperationKind, operations } from "@gatehouse/plan";
import * as z from "zod";
import { openChangeAgent } from "./change-agent.ts";
import { changeBinary } from "./change-binary.ts";
import { changeFile } from "./change-file.ts";
import { changeFirewall } from "./change-firewall.ts";
import { changeService } from "./change-service.ts";
import { changeWireguard } from "./change-wireguard.ts";
import { keptRescue } from "./keep-rescue.ts";
import { keptInterfaces } from "./keep-interface.ts";
import { keptTables } from "./keep-table.ts";
import { ownProgram } from "./own-program.ts";
import { openReadAgentState } from "./read-agent-state.ts";
import { readBinaryState, readFileState } from "./read-file-state.ts";
import { readFirewallState } from "./read-firewall-state.ts";
import { readServiceState } from "./read-service-state.ts";
import { readWireguardState } from "./read-wireguard-state.ts";
import type { HostChange, HostOperation, HostReader, HostReading } from "./host-operation.ts";
import { tailLog } from "./tail-log.ts";

/** Every kind of operation as a host does it (a test compares it with the plan's own table). */
export const hostOperations = {
  "firewall.apply": {
    prefix: "firewall",
    target: operations["firewall.apply"].schema.shape.table,
    readState: readFirewallState,
    change: changeFirewall,
    kept: keptTables,
  },
  "network.wireguard": {
    prefix: "wireguard",
    target: operations["network.wireguard"].schema.shape.interface,
    readState: readWireguardState,
    change: changeWireguard,
    kept: keptInterfaces,
  },
  "service.restart": {
    prefix: "service",
    target: operations["service.restart"].schema.shape.unit,
    readState: readServiceState,
    change: changeService,
  },
  "file.write": {
    prefix: "file",
    target: operations["file.write"].schema.shape.path,
    readState: readFileState,
    change: changeFile,
  },
  "binary.replace": {
    prefix: "binary",
    target: operations["binary.replace"].schema.shape.path,
    readState: readBinaryState,
    change: changeBinary,
  },
  "agent.update": {
    prefix: "agent",
    target: z.literal("self"),
    readState: openReadAgentState(ownProgram),
    change: openChangeAgent(ownProgram),
    kept: keptRescue,
  },
  "log.tail": { reading: tailLog },
} as const satisfies Record<OperationKind, HostRow>;

type HostRow = HostOperation | HostReader;

/** What operations change that a host can do: by the kind of operation. */
export const changingRows: readonly (readonly [OperationKind, HostOperation])[] = (
  Object.entries(hostOperations) as [OperationKind, HostRow][]
).flatMap(([kind, row]) => ("reading" in row ? [] : [[kind, row] as const]));

/** How operations of a kind are made here; undefined where this version cannot. */
export function findHostChange(kind: OperationKind): HostChange | undefined {
  const row: HostRow = hostOperations[kind];
  return "reading" in row ? undefined : row.change;
}

/** How operations of a kind are read that only read; undefined for all others. */
export function findHostReading(kind: OperationKind): HostReading | undefined {
  const row: HostRow = hostOperations[kind];
  return "reading" in row ? row.reading : undefined;
}
