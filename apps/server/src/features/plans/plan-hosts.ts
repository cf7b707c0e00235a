import { parseTrust, type Trust, trustDigest } from "@gatehouse/approval/verify";
import { isFault } from "@gatehouse/contract";
import type { PlanRecord } from "@gatehouse/contract/records";
import type { AcceptsMode } from "@gatehouse/contract/routes";
import { type RiskClass, riskOfOperation, trustState, trustSubject } from "@gatehouse/plan";
import type { Blobs } from "@gatehouse/store/blobs";
import { readEvidence } from "./evidence.ts";
import { plansLimits } from "./limits.ts";
import { readDocument, statesOf } from "./view-sections.ts";

/** How a host lets its section be approved, as it signed it when the plan was made. */
export interface PlanHost {
  /** The place of its section in the plan. */
  readonly index: number;
  readonly node: string;
  readonly name: string;
  readonly accepts: AcceptsMode;
  /** Undefined: there is none, or none that can be believed. */
  readonly trust: Trust | undefined;
  /** Of its operations, each once. */
  readonly risks: readonly RiskClass[];
}

/** Every host of a plan, in the plan's order. One trust file of many hosts is read once. */
export async function readPlanHosts(
  blobs: Blobs,
  { document, evidence }: Pick<PlanRecord, "document" | "evidence">,
): Promise<PlanHost[]> {
  const { sections } = await readDocument(blobs, document);
  const findTrust = openTrustFiles();
  const hosts: PlanHost[] = [];
  for (let first = 0; first < sections.length; first += plansLimits.hostsRead) {
    for (const { node, name, states } of await readEvidence(blobs, evidence, first, plansLimits.hostsRead)) {
      const index = hosts.length;
      const told = statesOf(states).find(({ subject }) => subject === trustSubject);
      const { accepts, trust } = trustState.safeParse(told?.state).data ?? { accepts: "none", trust: null };
      const risks = new Set(sections[index]?.operations.map(({ kind }) => riskOfOperation[kind]));
      hosts.push({ index, node, name, accepts, trust: findTrust(trust), risks: [...risks].toSorted() });
    }
  }
  return hosts;
}

function openTrustFiles(): (text: string | null) => Trust | undefined {
  const known = new Map<string, Trust | undefined>();
  return (text) => {
    if (text === null) return undefined;
    const bytes = Buffer.from(text, "base64");
    const digest = trustDigest(bytes);
    if (!known.has(digest)) known.set(digest, parseIfSound(bytes));
    return known.get(digest);
  };
}

function parseIfSound(bytes: Uint8Array): Trust | undefined {
  try {
    return parseTrust(bytes);
  } catch (error) {
    if (isFault(error)) return undefined;
    throw error;
  }
}
