import type { Clock } from "@gatehouse/base";
import type { Scope } from "@gatehouse/contract";
import type { Store } from "@gatehouse/store";
import type { Blobs } from "@gatehouse/store/blobs";
import type { Decide, Reads } from "@gatehouse/store/decide";
import type { Log } from "../../platform/log/index.ts";
import type { Principal } from "../../platform/route/index.ts";

/** What the parts of artifacts are handed; each names what it uses of it. */
export interface ArtifactsDeps {
  readonly store: Pick<Store, "get" | "list">;
  readonly decide: Decide;
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly log: Log;
  readonly every: (ms: number, act: () => void) => () => void;
  readonly requireRights: (
    read: Reads,
    principal: Principal,
    asked: { readonly scope: Scope; readonly now: number },
  ) => Promise<unknown>;
  /** Plans that have not ended and name the artifact. */
  readonly plansNaming: (sha256: string, now: number) => Promise<readonly string[]>;
  /** Blobs that plans name: an artifact may have the same bytes. */
  readonly blobsOfPlans: () => Promise<readonly string[]>;
  /** Smaller ones, for tests. */
  readonly partBytes?: number;
}
