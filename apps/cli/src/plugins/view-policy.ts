import type { TrustedKey, TrustPolicy } from "@gatehouse/bundle/verify";
import { count } from "@gatehouse/command-line";
import { withRisk } from "./describe-capabilities.ts";
import type { Publisher, Revoked } from "./describe-trust.ts";

export interface PolicyView {
  readonly publishers: readonly Publisher[];
  readonly revoked: Revoked;
  /** What holds now and will not soon, or already does not. */
  readonly warnings: readonly string[];
}

const day = 24 * 60 * 60_000;
const soon = 30 * day;

/** A policy as the server shows its own, at the moment `now`. */
export function viewPolicy(policy: TrustPolicy, now: number): PolicyView {
  const { revoked } = policy;
  const publishers = Array.from(policy.publishers.values(), (publisher): Publisher => {
    const { id, idPrefixes, capabilities, threshold, firstParty } = publisher;
    const keys = publisher.keys.map((key) => ({
      id: key.id,
      publicKey: key.publicKey,
      notAfter: key.notAfter === undefined ? null : new Date(key.notAfter).toISOString(),
      status: statusOf(key, policy, now),
    }));
    return { id, keys, idPrefixes: [...idPrefixes], capabilities: withRisk(capabilities), threshold, firstParty };
  });
  return {
    publishers,
    revoked: { keys: [...revoked.keys], digests: [...revoked.digests] },
    warnings: publishers.flatMap((publisher) => warningsOf(publisher, now)),
  };
}

type KeyStatus = Publisher["keys"][number]["status"];

function statusOf({ id, notAfter }: TrustedKey, { revoked }: TrustPolicy, now: number): KeyStatus {
  if (revoked.keys.has(id)) return "revoked";
  return notAfter !== undefined && now > notAfter ? "expired" : "valid";
}

function warningsOf({ id, keys, idPrefixes, threshold }: Publisher, now: number): string[] {
  const valid = keys.filter(({ status }) => status === "valid");
  const ending = valid.filter(({ notAfter }) => notAfter !== null && Date.parse(notAfter) - now <= soon);
  return [
    ...keys.filter(({ status }) => status !== "valid").map((key) => `the key ${key.id} of ${id} is ${key.status}`),
    ...ending.map((key) => {
      const left = Math.floor((Date.parse(key.notAfter ?? "") - now) / day);
      return `the key ${key.id} of ${id} expires in ${count(left, "day")}, on ${key.notAfter?.slice(0, 10) ?? ""}`;
    }),
    ...(valid.length < threshold
      ? [`nothing of ${id} is accepted: ${threshold} must sign, and ${count(valid.length, "key")} may`]
      : []),
    ...(idPrefixes.length === 0 ? [`nothing of ${id} is accepted: idPrefixes names no plugin`] : []),
  ];
}
