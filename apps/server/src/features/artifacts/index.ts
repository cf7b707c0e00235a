/**
 * Artifacts: bytes that plans put on hosts, brought by people in parts, kept under their digest, and listed, read and removed.
 * Never judges a signature, which is the hosts' to do, and never gives a host anything: a plan that names them does.
 */
import type { Route } from "../../platform/route/index.ts";
import { namedBlobs, openArtifactBytes } from "./artifact-bytes.ts";
import type { ArtifactsDeps } from "./artifacts-deps.ts";
import { openJoins } from "./join-parts.ts";
import { artifactRoutes } from "./routes.ts";
import { openArtifactSweep } from "./sweep-artifacts.ts";

export type { ArtifactsDeps } from "./artifacts-deps.ts";
export { findProgram } from "./find-program.ts";
export { type PlannedArtifact, requireArtifacts } from "./judge-planned.ts";

export interface Artifacts {
  readonly routes: readonly Route[];
  /** Blobs that records of artifacts name; the collector leaves them alone. */
  namedBlobs(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export function openArtifacts(deps: ArtifactsDeps): Artifacts {
  const bytes = openArtifactBytes(deps);
  const joins = openJoins({ ...deps, bytes });
  const sweep = openArtifactSweep({ ...deps, joins, bytes });
  return {
    routes: artifactRoutes({ ...deps, joins, bytes }),
    namedBlobs: () => namedBlobs(deps.store),
    close: async () => {
      await sweep.close();
      await joins.close();
    },
  };
}
