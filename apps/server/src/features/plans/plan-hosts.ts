import { setImmediate as othersTurn } from "node:timers/promises";
import { type Trust, trustDigest } from "@gatehouse/approval/verify";
import type { PlanRecord } from "@gatehouse/contract/records";
import type { AcceptsMode } from "@gatehouse/contract/routes";
import type { RiskClass, TrustState } from "@gatehouse/plan";
import { readEvidence } from "./evidence.ts";
import { holdLast } from "./hold-last.ts";
import { plansLimits } from "./limits.ts";
import { risksOf } from "./make-task.ts";
import type { DocumentReads } from "./read-document.ts";
import { parseSoundTrust, trustOfSection } from "./section-trust.ts";

/** How a host lets its section be approved, as it signed it when the plan was made. */
export interface PlanHost {
  /** The place of its section in the plan. */
  readonly index: number;
  readonly node: string;
  readonly name: string;
  readonly accepts: AcceptsMode;
  /** In the host's own words; undefined where it did not say. */
  readonly said: TrustState | undefined;
  /** Undefined: there is none, or none that can be believed. */
  readonly trust: Trust | undefined;
  /** Of its operations, each once. */
  readonly risks: readonly RiskClass[];
}

/** Every host of a plan, in the plan's order. The last few plans stay in memory: several approve one, one after the other. */
export function openPlanHosts(deps: DocumentReads) {
  const hostsOf = holdLast(plansLimits.heldDocuments, (names) => {
    const [document = "", evidence = ""] = names.split(" ");
    return readPlanHosts(deps, { document, evidence });
  });
  return ({ document, evidence }: PlanBlobs): Promise<readonly PlanHost[]> => hostsOf(`${document} ${evidence}`);
}

type PlanBlobs = Pick<PlanRecord, "document" | "evidence">;

/** One trust file of many hosts is read once. What ten thousand hosts signed takes a while: others have their turn between. */
async function readPlanHosts(
  { blobs, documentOf }: DocumentReads,
  { document, evidence }: PlanBlobs,
): Promise<readonly PlanHost[]> {
  const { sections } = await documentOf(document);
  const findTrust = openTrustFiles();
  const hosts: PlanHost[] = [];
  for (let first = 0; first < sections.length; first += plansLimits.hostsRead) {
    await othersTurn();
    for (const told of await readEvidence(blobs, evidence, first, plansLimits.hostsRead)) {
      const index = hosts.length;
      const said = trustOfSection(told);
      const { accepts, trust } = said ?? { accepts: "none", trust: null };
      const { node, name } = told;
      hosts.push({
        index,
        node,
        name,
        accepts,
        said,
        trust: findTrust(trust),
        risks: risksOf(sections[index]),
      });
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
    if (!known.has(digest)) known.set(digest, parseSoundTrust(bytes));
    return known.get(digest);
  };
}
