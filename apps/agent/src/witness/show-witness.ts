import type { Report } from "@gatehouse/command-line";
import { getPinnedServer, type ServerFilePlace } from "../local/server-file.ts";
import { findKeptDays, findKeptWitness, type WitnessPlace } from "./kept-witness.ts";
import { witnessReport } from "./witness-report.ts";

/** What this host keeps of the log of the server that it is enrolled with. */
export function showWitness(place: WitnessPlace & ServerFilePlace): Report {
  const { key, nodeId } = getPinnedServer(place);
  return witnessReport({ node: nodeId, kept: findKeptWitness(place, key), days: findKeptDays(place, key) });
}
