/**
 * Artifacts: bytes that plans put on hosts, brought by people in parts, kept under their digest, and listed, read and removed.
 * Never judges a signature, which is the hosts' to do, and never gives a host anything: a plan that names them does.
 */
import { artifactKind } from "@gatehouse/contract/records";
import { listAll } from "@gatehouse/store/decide";
import type { Route } from "../../platform/route/index.ts";
import { blobsOfArtifact } from "./artifact-parts.ts";
import type { ArtifactsDeps } from "./artifacts-deps.ts";
import { openJoins } from "./join-parts.ts";
import { artifactRoutes } from "./routes.ts";
import { openArtifactSweep } from "./sweep-artifacts.ts";

export type { ArtifactsDeps } from "./artifacts-deps.ts";
export { type PlannedArtifact, requireArtifacts } from "./judge-planned.ts";

export interface Artifacts {
  readonly routes: readonly Route[];
  /** Blobs that records of artifacts name; the collector leaves them alone. */
  namedBlobs(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export function openArtifacts(deps: ArtifactsDeps): Artifacts {
  const joins = openJoins(deps);
  const sweep = openArtifactSweep({ ...deps, joins });
  return {
    routes: artifactRoutes({ ...deps, joins }),
    namedBlobs: async () => (await listAll(deps.store, artifactKind)).flatMap(({ value }) => blobsOfArtifact(value)),
    close: async () => {
      await sweep.close();
      await joins.close();
    },
  };
}
