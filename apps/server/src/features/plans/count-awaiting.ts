import { hasSection, type SectionBits } from "@gatehouse/approval";
import { neededPersons, type Trust } from "@gatehouse/approval/verify";
import type { PlanHost } from "./plan-hosts.ts";

/** What approvers signed alike, with the keys of all who did. */
export interface JointOffer {
  readonly sections: SectionBits;
  readonly keyIds: ReadonlySet<string>;
}

/** The approvals of a plan whose time is not over. */
export interface StandingApprovals {
  readonly offers: readonly JointOffer[];
  /** Whether a person has given the word for the hosts that trust this server. */
  readonly hasServerWord: boolean;
}

/**
 * How many hosts that take changes have not enough approvals. Persons count, not keys, and those of two statements are never
 * added up: a host takes one of them.
 */
export function countAwaiting(hosts: readonly PlanHost[], standing: StandingApprovals, now: number): number {
  const counts = standing.offers.map((offer) => ({ offer, personsOf: openPersonCount(offer) }));
  const isAwaiting = ({ accepts, trust, risks, index }: PlanHost): boolean => {
    if (accepts !== "signed") return accepts === "server" && !standing.hasServerWord;
    if (trust === undefined || (trust.notAfter !== undefined && trust.notAfter < now)) return true;
    const needed = neededPersons({ trust, risks });
    return !counts.some(({ offer, personsOf }) => hasSection(offer.sections, index) && personsOf(trust) >= needed);
  };
  return hosts.filter(isAwaiting).length;
}

/** How many persons the host asks for that asks for most. A host whose trust cannot be believed takes nobody's word. */
export function countNeeded(hosts: readonly Pick<PlanHost, "accepts" | "trust" | "risks">[]): number {
  return hosts.reduce((most, { accepts, trust, risks }) => Math.max(most, neededBy({ accepts, trust, risks })), 0);
}

function neededBy({ accepts, trust, risks }: Pick<PlanHost, "accepts" | "trust" | "risks">): number {
  if (accepts === "server") return 1;
  return accepts === "signed" && trust !== undefined ? neededPersons({ trust, risks }) : 0;
}

/** Counted once for each trust file, however many hosts have it. */
function openPersonCount({ keyIds }: JointOffer): (trust: Trust) => number {
  const counted = new Map<string, number>();
  return (trust) => {
    const known = counted.get(trust.digest);
    if (known !== undefined) return known;
    const count = trust.persons.filter(({ keys }) => keys.some(({ id }) => keyIds.has(id))).length;
    counted.set(trust.digest, count);
    return count;
  };
}
