import { randomBytes } from "node:crypto";
import { sectionsOf } from "@gatehouse/approval";
import { judgeOffer, readOffer, sshFingerprint, type Trust, wordLimits } from "@gatehouse/approval/verify";
import { fault, isFault } from "@gatehouse/contract";
import type { PlanApproval } from "@gatehouse/contract/records";
import { orderMinutes, rollbackWindows } from "@gatehouse/contract/routes";
import type { PlanHost } from "./plan-hosts.ts";
import { refuseForHost } from "./refuse-host.ts";

/** An approval as it is judged: who brought it, and where its bytes are kept, comes later. */
export type JudgedWord = Omit<PlanApproval, "user" | "by" | "at" | "container">;

/**
 * Judges one signature as the hosts that its statement names will judge it. Hosts that take no signatures are not covered by it;
 * one that takes them and would refuse this one refuses it for all: nobody is to believe in an approval that a host refuses.
 */
export function judgeSignature(
  container: Uint8Array,
  digest: string,
  hosts: readonly PlanHost[],
  now: number,
): JudgedWord {
  const { approval, keyIds } = readOffer(container);
  if (approval.planDigest !== digest) {
    throw fault("statement.plan", `expected the plan ${digest}, found ${approval.planDigest}`);
  }
  const takers = sectionsOf(approval.sections)
    .flatMap((index) => hosts[index] ?? [])
    .filter(({ accepts }) => accepts === "signed");
  const judged = new Set<string>();
  for (const host of takers) {
    const trust = getTrust(host);
    // Two hosts with one trust file and operations of the same classes give the same answer.
    const alike = [trust.digest, ...host.risks].join();
    if (judged.has(alike)) continue;
    judgeForHost(container, { host, trust, digest, sectionCount: hosts.length, now });
    judged.add(alike);
  }
  const [keyId] = keyIds;
  const key = takers[0]?.trust?.persons.flatMap(({ keys }) => keys).find(({ id }) => id === keyId);
  if (key === undefined) {
    throw fault("plan.no_host_takes", "expected a host that takes signatures among those of the statement, found none");
  }
  const { approvalId: id, notBefore, notAfter, rollbackWindow } = approval;
  const signer = { keyId: key.id, fingerprint: sshFingerprint(key.blob) };
  return { id, kind: "signed", ...signer, notBefore, notAfter, rollbackWindow, sections: takers.length };
}

/** What a person says to the server; the rest is as if it was not said. */
export interface WantedServerWord {
  readonly notBefore?: string | undefined;
  readonly minutes?: number | undefined;
  readonly rollbackWindow?: number | undefined;
}

/** A person's word for the hosts whose root trusts this server. */
export function sayServerWord(
  { notBefore: asked, minutes = orderMinutes.unsaid, rollbackWindow = rollbackWindows.unsaid }: WantedServerWord,
  hosts: readonly PlanHost[],
  now: number,
): JudgedWord {
  const sections = hosts.filter(({ accepts }) => accepts === "server").length;
  if (sections === 0) throw fault("plan.no_host_takes", "expected a host that takes this server's word, found none");
  const notBefore = Math.max(now, asked === undefined ? now : Date.parse(asked));
  const notAfter = notBefore + minutes * 60_000;
  if (notAfter - now > wordLimits.life) {
    const [most, found] = [now + wordLimits.life, notAfter].map((ms) => new Date(ms).toISOString());
    throw fault("time.too_long", `expected an end up to ${most}, found ${found}`);
  }
  const id = randomBytes(16).toString("hex");
  return { id, kind: "server", notBefore, notAfter, rollbackWindow, sections };
}

interface HostScene {
  readonly host: PlanHost;
  readonly trust: Trust;
  readonly digest: string;
  readonly sectionCount: number;
  readonly now: number;
}

function judgeForHost(container: Uint8Array, { host, trust, digest, sectionCount, now }: HostScene): void {
  const { index: sectionIndex, risks } = host;
  const clock = { wall: now, floorNow: now };
  try {
    judgeOffer(container, { trust, planDigest: digest, sectionIndex, sectionCount, risks, together: false, clock });
  } catch (error) {
    throw isFault(error) ? refuseForHost(host, error) : error;
  }
}

function getTrust(host: PlanHost): Trust {
  if (host.trust !== undefined) return host.trust;
  throw refuseForHost(host, fault("trust.unsound", "expected a trust file that can be believed, found none"));
}
