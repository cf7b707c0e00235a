import { networkInterfaces } from "node:os";
import { runAll } from "@gatehouse/base";
import type { Config } from "./config.ts";
import { findProgram, openArtifacts, requireArtifacts } from "./features/artifacts/index.ts";
import { openPlans, type PlansDeps } from "./features/plans/index.ts";
import { settingsRoutes } from "./features/settings/index.ts";

export interface ComposePlansDeps
  extends Omit<PlansDeps, "server" | "requireArtifacts" | "findProgram" | "blobsOfOthers"> {
  readonly config: Pick<Config, "publicUrl">;
  /** Where the server listens, once it does. */
  readonly listening: { readonly port: number };
}

/** Plans, the artifacts that they put on hosts, and what owners decide about them while the server runs. */
export function composePlans({ config, listening, ...deps }: ComposePlansDeps) {
  const ports = () => [publicPort(config.publicUrl) ?? listening.port];
  const artifacts = openArtifacts({
    ...deps,
    plansNaming: (sha256, now) => plans.plansNaming(sha256, now),
    blobsOfPlans: () => plans.namedBlobs(),
  });
  const plans = openPlans({
    ...deps,
    requireArtifacts,
    findProgram,
    blobsOfOthers: () => artifacts.namedBlobs(),
    server: { addresses: ownAddresses, ports },
  });
  return {
    ...plans,
    routes: [...plans.routes, ...artifacts.routes, ...settingsRoutes(deps)],
    close: () => runAll([() => plans.close(), () => artifacts.close()]),
  };
}

/** The port that people and agents come to: of the proxy, where there is one. */
function publicPort(url: URL | undefined): number | undefined {
  if (url === undefined) return undefined;
  return url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
}

/** Where this machine is reached; a host that has one of these carries the server. */
function ownAddresses(): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((one) => one ?? []);
  return all.filter(({ internal }) => !internal).map(({ address }) => address);
}
