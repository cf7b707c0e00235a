import { readContainer, type SignedStatement, writeContainer } from "@gatehouse/approval";
import { judgeOffer, neededPersons, type OfferScene, type Trust } from "@gatehouse/approval/verify";
import { type FaultCode, isFault } from "@gatehouse/contract";
import type { PlanApproval } from "@gatehouse/contract/records";
import type { RiskClass, TrustState } from "@gatehouse/plan";
import { parseSoundTrust } from "./section-trust.ts";

/** A section that is to be sent, and what there is to send it under. */
export interface ApprovalChoice {
  readonly approvals: readonly PlanApproval[];
  /** The bytes of their containers, by the names of their blobs. */
  readonly containers: ReadonlyMap<string, Uint8Array>;
  /** Whose word the host takes; undefined where it did not say. */
  readonly trust: TrustState | undefined;
  readonly planDigest: string;
  readonly sectionIndex: number;
  readonly sectionCount: number;
  readonly risks: readonly RiskClass[];
  readonly now: number;
  /** The one that the task was sent under before: no other is used for it. */
  readonly only?: string | undefined;
  /** Also one that has ended: a host that has begun says how far it is, and any other refuses it. */
  readonly alsoEnded?: boolean | undefined;
}

/** What a section can be sent under, and the accounts whose word it is. */
export interface SentUnder {
  readonly id: string;
  readonly rollbackWindow: number;
  readonly users: readonly string[];
}

export type ChosenApproval =
  | (SentUnder & { readonly kind: "signed"; readonly container: Uint8Array })
  | (SentUnder & { readonly kind: "server"; readonly word: PlanApproval })
  /** There is one whose time has not come. */
  | { readonly kind: "early" }
  | { readonly kind: "none"; readonly code: FaultCode; readonly detail: string };

/** Under what a section is sent to its host: the approval that ends first of those which the host would take now, or why there is none. */
export function chooseApproval(choice: ApprovalChoice): ChosenApproval {
  const { trust, now, alsoEnded = false } = choice;
  if (trust === undefined) return none("ceiling.off", "the host did not say that it takes changes");
  if (trust.accepts === "none") return none("ceiling.off", "root of the host takes no changes");
  const offers = trust.accepts === "server" ? serverWords(choice) : signedOffers(choice, trust.trust);
  if (offers.length === 0) return none("plan.not_approved", "no approval of the plan is enough for this host");
  const inTime = offers
    .toSorted((a, b) => a.notAfter - b.notAfter)
    .filter(({ notAfter }) => alsoEnded || now <= notAfter);
  const chosen = inTime.find(({ notBefore }) => notBefore <= now);
  if (chosen !== undefined) return chosen.give();
  if (inTime.length > 0) return { kind: "early" };
  return none("time.expired", "every approval that the host would take has ended");
}

/** An approval that is enough for the host while its time lasts. */
interface Offer {
  readonly notBefore: number;
  readonly notAfter: number;
  readonly give: () => ChosenApproval;
}

function serverWords({ approvals, only }: ApprovalChoice): Offer[] {
  return approvals
    .filter(({ kind, id }) => kind === "server" && (only === undefined || id === only))
    .map((word) => ({ ...timesOf(word), give: () => ({ kind: "server", ...givenBy([word]), word }) }));
}

function signedOffers(choice: ApprovalChoice, trustText: string | null): Offer[] {
  const trust = trustText === null ? undefined : parseSoundTrust(Buffer.from(trustText, "base64"));
  if (trust === undefined) return [];
  const { approvals, only, risks } = choice;
  const signed = approvals.filter(({ kind, id }) => kind === "signed" && (only === undefined || id === only));
  return [...Map.groupBy(signed, ({ id }) => id)].flatMap(([, group]) => {
    const [first] = group as [PlanApproval, ...PlanApproval[]];
    const good = group.flatMap((one) => judgeOne(one, choice, trust));
    const persons = new Set(good.flatMap((one) => one.persons));
    if (persons.size < neededPersons({ trust, risks })) return [];
    const give = (): ChosenApproval => {
      const used = good.slice(0, mostStatements);
      const by = used.map(({ one }) => one) as [PlanApproval, ...PlanApproval[]];
      return { kind: "signed", ...givenBy(by), container: writeContainer(used.map(({ item }) => item)) };
    };
    return [{ ...timesOf(first), give }];
  });
}

/** As many as a container holds. */
const mostStatements = 16;

/**
 * Each signature by itself: hosts of one plan may know different persons, and one that this host does not know would spoil the
 * others'. Judged at a moment inside its own time, so that an approval which has ended is told apart from one that never was enough.
 */
function judgeOne(
  one: PlanApproval,
  { containers, planDigest, sectionIndex, sectionCount, risks, now }: ApprovalChoice,
  trust: Trust,
): { readonly one: PlanApproval; readonly item: SignedStatement; readonly persons: readonly string[] }[] {
  const container = containers.get(one.container ?? "");
  const [item] = (container && readContainer(container)) ?? [];
  if (container === undefined || item === undefined) return [];
  const at = Math.min(Math.max(now, one.notBefore), one.notAfter);
  const clock = { wall: at, floorNow: at };
  const scene: OfferScene = { trust, planDigest, sectionIndex, sectionCount, risks, together: false, clock };
  try {
    return [{ one, item, persons: judgeOffer(container, scene).persons }];
  } catch (error) {
    if (!isFault(error)) throw error;
    return [];
  }
}

/** Those who gave the same one. */
function givenBy(all: readonly [PlanApproval, ...PlanApproval[]]): SentUnder {
  const [{ id, rollbackWindow }] = all;
  return { id, rollbackWindow, users: [...new Set(all.map(({ user }) => user))] };
}

function timesOf({ notBefore, notAfter }: PlanApproval) {
  return { notBefore, notAfter };
}

function none(code: FaultCode, detail: string): ChosenApproval {
  return { kind: "none", code, detail };
}
