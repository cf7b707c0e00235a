import { type Approval, sectionBits } from "@gatehouse/approval";
import { firstTrust, type NewPerson, trustDigest } from "@gatehouse/approval/verify";
import type { Plan } from "@gatehouse/contract/routes";
import { makeKey, usualStatement } from "../../../tests/support/approvers.ts";
import { type AuthServer, newVisitor } from "./auth-server.ts";
import { madePlan, managedPretend, nginx, type Parts, type Refused, restart, startPlanned } from "./planned-fleet.ts";
import type { Visitor } from "./visitor.ts";

export { signatureBody } from "../../../tests/support/approvers.ts";

export const adaKey = makeKey("ssh-ed25519", 1);
export const adaSecondKey = makeKey("ecdsa-sha2-nistp256", 2);
export const bobKey = makeKey("ssh-ed25519", 3);
export const adaAndBob: readonly NewPerson[] = [
  { name: "Ada", keys: [adaKey, adaSecondKey] },
  { name: "Bob", keys: [bobKey] },
];

export const oneOfTwo = firstTrust(adaAndBob);
export const twoOfTwo = firstTrust(adaAndBob, {
  thresholds: { change: 2, network: 2, update: 2, terminal: 1, trust: 1 },
});

/** What a host says of itself that takes the signatures of a trust file. */
export function takesSignatures(trust: Uint8Array): Parts {
  return { "service:nginx.service": nginx, "host:trust": { accepts: "signed", trust: trust.toBase64() } };
}

export const takesServerWord: Parts = { "host:trust": { accepts: "server", trust: null } };
export const takesNothing: Parts = { "host:trust": { accepts: "none", trust: null } };

/** A statement about a whole plan for hosts of one trust file, good for an hour. */
export function statementAbout(
  server: AuthServer,
  plan: Plan,
  changed: Partial<Omit<Approval, "trust">> & { readonly trust?: readonly Uint8Array[] } = {},
): Omit<Approval, "keyId"> {
  const { trust = [oneOfTwo], ...fields } = changed;
  const about = {
    planDigest: plan.digest,
    sections: sectionBits(plan.nodes, Array(plan.nodes).keys()),
    trust: trust.map(trustDigest).toSorted(),
  };
  return { ...usualStatement(server.clock.now(), about), ...fields };
}

/** Sends an approval, to the plan as it is now unless `tag` is another. */
export async function approve(by: Visitor, plan: Plan, body: object, tag?: string) {
  const seen = tag ?? (await by.call("GET", `/api/plans/${plan.id}`)).headers.get("etag") ?? "";
  return by.call<Plan & Refused>("POST", `/api/plans/${plan.id}/approvals`, { body, headers: { "If-Match": seen } });
}

/** A plan in review that an operator made for hosts that say this of themselves, in the order of its sections. */
export async function startInReview(
  hosts: readonly Parts[],
  options: Parameters<typeof startPlanned>[0] = {},
  what: object = restart,
) {
  const { server, owner } = await startPlanned(options);
  const author = await newVisitor(server, owner, "operator");
  const managed = [];
  for (const [index, says] of hosts.entries()) {
    managed.push(await managedPretend(server, owner, { name: `web-${index}`, says }));
  }
  const nodes = managed.map(({ host }, index) => ({ id: host.nodeId, name: `web-${index}` }));
  const plan = await madePlan(author, { ...what, nodes: nodes.map(({ id }) => id) });
  const order = nodes.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ name }) => name);
  const sectionOf = (name: string) => order.indexOf(name);
  const shown = async () => (await owner.call<Plan>("GET", `/api/plans/${plan.id}`)).body;
  return { server, owner, author, plan, managed, sectionOf, shown };
}

/** A refusal in one line. */
export const refusalOf = ({ body: { code, detail } }: { readonly body: Refused }) => `${code}: ${detail}`;
