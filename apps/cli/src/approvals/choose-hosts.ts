import { neededPersons, type OfferScene, type Trust } from "@gatehouse/approval/verify";
import { fault } from "@gatehouse/contract";
import { riskOfOperation } from "@gatehouse/plan";
import type { CheckedSection } from "../plans/check-section.ts";
import { type HostTrust, readHostTrust } from "./host-trust.ts";

/** A host that takes changes by signatures, and knows this key. */
export interface SignedHost {
  readonly checked: CheckedSection;
  readonly trust: Trust;
  /** Whose key it is, as the host calls them. */
  readonly person: string;
  /** How many persons it wants for this section. */
  readonly needed: number;
  readonly risks: OfferScene["risks"];
}

/** A host for which nothing is signed, and why not. */
export interface LeftOutHost {
  readonly checked: CheckedSection;
  readonly why: string;
}

export interface ChosenHosts {
  readonly signed: readonly SignedHost[];
  readonly leftOut: readonly LeftOutHost[];
}

export interface HostChoice {
  readonly keyId: string;
  /** Ids of the hosts that are meant; all without it. */
  readonly only: readonly string[] | undefined;
  readonly now: number;
}

/**
 * The hosts that an approval is for. One that could never take it is refused by its name: an approver who believes to have
 * approved for it would be mistaken. Only hosts that need no signature are passed over.
 */
export function chooseHosts(sections: readonly CheckedSection[], { keyId, only, now }: HostChoice): ChosenHosts {
  const signed: SignedHost[] = [];
  const leftOut: LeftOutHost[] = [];
  for (const checked of sections) {
    const trust = readHostTrust(checked.host);
    if (only !== undefined && !only.includes(checked.section.node)) {
      leftOut.push({ checked, why: "not among the hosts of this approval" });
    } else if (trust.accepts === "server") {
      leftOut.push({ checked, why: "it trusts its server and needs no signature: approve with --server" });
    } else {
      signed.push(getSigned(checked, trust, { keyId, now }));
    }
  }
  if (signed.length > 0) return { signed, leftOut };
  throw fault("plan.no_host_takes", "none of these hosts takes changes by signatures");
}

/** The hosts of a plan that trust their server, as they signed it. */
export function serverHosts(sections: readonly CheckedSection[]) {
  const isTrusting = ({ host }: CheckedSection) => readHostTrust(host).accepts === "server";
  const trusting = sections.filter(isTrusting);
  if (trusting.length === 0) throw fault("plan.no_host_takes", "no host of the plan says that it trusts its server");
  const others = sections.filter((one) => !isTrusting(one));
  const leftOut = others.map((checked): LeftOutHost => ({ checked, why: "it does not trust its server" }));
  return { trusting, leftOut };
}

/** What a host is asked with before an approval is sent to it. */
export function sceneOf(
  { trust, risks, checked }: SignedHost,
  { planDigest, sectionCount, now }: Pick<OfferScene, "planDigest" | "sectionCount"> & { readonly now: number },
): OfferScene {
  const clock = { wall: now, floorNow: now };
  return { trust, risks, planDigest, sectionCount, sectionIndex: checked.view.index, together: false, clock };
}

function getSigned(
  checked: CheckedSection,
  told: Exclude<HostTrust, { readonly accepts: "server" }>,
  { keyId, now }: Pick<HostChoice, "keyId" | "now">,
): SignedHost {
  const who = `${checked.view.name} (${checked.section.node})`;
  if (told.accepts === "none") throw fault("cli.host_takes_none", `${who} takes no changes`);
  if (told.accepts === "unsaid") throw fault("cli.host_takes_none", `${who}: ${told.why}`);
  if (told.accepts === "unsound") throw fault("cli.host_trust_unsound", `${who}: ${told.why}`);
  const { trust } = told;
  if (trust.notAfter !== undefined && trust.notAfter < now) {
    const end = new Date(trust.notAfter).toISOString();
    throw fault("cli.host_trust_unsound", `${who}: its trust file ended at ${end}`);
  }
  const person = trust.persons.find(({ keys }) => keys.some(({ id }) => id === keyId));
  if (person === undefined) throw fault("cli.key_not_known", `${who} does not know the key ${keyId}`);
  const risks = checked.section.operations.map(({ kind }) => riskOfOperation[kind]);
  return { checked, trust, person: person.name, needed: neededPersons({ trust, risks }), risks };
}
