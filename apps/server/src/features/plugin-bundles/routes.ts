import type { Clock } from "@gatehouse/base";
import type { TrustedKey, TrustPolicy } from "@gatehouse/bundle/verify";
import { capabilities, capabilityNames, fault } from "@gatehouse/contract";
import { type BundleVerdict, trustRoute, verifyPluginRoute } from "@gatehouse/contract/routes";
import { type Route, route } from "../../platform/route/index.ts";
import type { Judged } from "./judge-on-disk.ts";
import type { Bundles } from "./open-bundles.ts";

export interface BundleRoutesDeps {
  readonly bundles: Pick<Bundles, "judge" | "findLoaded">;
  readonly trust: { readonly isConfigured: boolean; readonly policy: TrustPolicy };
  readonly clock: Pick<Clock, "now">;
}

export function bundleRoutes(deps: BundleRoutesDeps): readonly Route[] {
  const judge = shareWhileRunning((id) => deps.bundles.judge(id));
  return [
    route(verifyPluginRoute, async ({ body: { id } }) => {
      const judged = await judge(id);
      if (judged.kind === "absent") throw fault("plugin.unknown", `there is no bundle ${id} in the plugin directory`);
      return viewVerdict(id, judged, deps.bundles.findLoaded(id)?.payloadSha256);
    }),
    route(trustRoute, () => viewTrust(deps.trust, deps.clock.now())),
  ];
}

/** Hashing an artifact is the dearest thing one can ask for here: whoever asks meanwhile gets the same answer. */
function shareWhileRunning(judge: (id: string) => Promise<Judged>): (id: string) => Promise<Judged> {
  const running = new Map<string, Promise<Judged>>();
  return (id) => {
    const known = running.get(id);
    if (known !== undefined) return known;
    const judging = judge(id).finally(() => running.delete(id));
    running.set(id, judging);
    return judging;
  };
}

function viewVerdict(
  id: string,
  judged: Exclude<Judged, { kind: "absent" }>,
  loadedPayload: string | undefined,
): BundleVerdict {
  const bundle = judged.kind === "accepted" ? judged.bundle : undefined;
  return {
    id,
    accepted: bundle !== undefined,
    refusal: judged.kind === "rejected" ? { ...judged.refusal } : null,
    checks: judged.checks.map((check) => ({ ...check })),
    artifactSha256: bundle?.artifactSha256 ?? null,
    loaded: bundle !== undefined && bundle.payloadSha256 === loadedPayload,
  };
}

function viewTrust({ isConfigured, policy }: BundleRoutesDeps["trust"], now: number) {
  const status = ({ id, notAfter }: TrustedKey) => {
    if (policy.revoked.keys.has(id)) return "revoked" as const;
    return notAfter !== undefined && notAfter < now ? ("expired" as const) : ("valid" as const);
  };
  return {
    configured: isConfigured,
    items: [...policy.publishers.values()].map((publisher) => ({
      id: publisher.id,
      keys: publisher.keys.map((key) => ({
        id: key.id,
        publicKey: key.publicKey,
        notAfter: key.notAfter === undefined ? null : new Date(key.notAfter).toISOString(),
        status: status(key),
      })),
      idPrefixes: [...publisher.idPrefixes],
      capabilities: capabilityNames
        .filter((name) => publisher.capabilities.has(name))
        .map((name) => ({ name, risk: capabilities[name].risk })),
      threshold: publisher.threshold,
      firstParty: publisher.firstParty,
    })),
    revoked: { keys: [...policy.revoked.keys], digests: [...policy.revoked.digests] },
    nextCursor: null,
  };
}
