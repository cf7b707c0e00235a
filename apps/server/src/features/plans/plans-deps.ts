import type { Clock, Json } from "@gatehouse/base";
import type { Scope } from "@gatehouse/contract";
import type { PlanNode } from "@gatehouse/contract/broker";
import type { NodeDriftRecord } from "@gatehouse/contract/records";
import type { Node } from "@gatehouse/contract/routes";
import type { PlanDraft, PlanSource } from "@gatehouse/plan";
import type { Change, ServerIdentity, Store } from "@gatehouse/store";
import type { Blobs } from "@gatehouse/store/blobs";
import type { Decide, Reads } from "@gatehouse/store/decide";
import type { Log } from "../../platform/log/index.ts";
import type { Principal } from "../../platform/route/index.ts";
import type { Fleet, ToldStates } from "../fleet/index.ts";
import type { Asker } from "../plugin-runtime/index.ts";
import type { NamedArtifact } from "./named-artifacts.ts";
import type { ProgramFacts } from "./undo-operations.ts";

/** What the parts of plans are handed; each names what it uses of it. */
export interface PlansDeps {
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
  readonly findNode: (id: string) => Promise<Node | undefined>;
  /** What differs on a host from what was confirmed there. */
  readonly findDrift: (id: string) => Promise<Pick<NodeDriftRecord, "items"> | undefined>;
  readonly listNodes: (page: {
    readonly tag?: string;
    readonly cursor?: string;
    readonly limit: number;
  }) => Promise<{ readonly items: readonly Node[]; readonly nextCursor: string | null }>;
  readonly readStates: (nodeId: string, subjects: readonly string[]) => Promise<ToldStates>;
  readonly askPlan: (
    asker: Asker,
    question: { readonly id: string; readonly input: Json; readonly nodes: readonly PlanNode[] },
  ) => Promise<{ readonly draft: PlanDraft; readonly source: PlanSource }>;
  /** Refuses artifacts that are not here, not whole, or not what is said of them. Gives what the plan's commit has to hold of them. */
  readonly requireArtifacts: (read: Reads, named: readonly NamedArtifact[]) => Promise<readonly Change[]>;
  /** What is said of a program whose artifact with this digest is here, whole. */
  readonly findProgram: (read: Reads, sha256: string) => Promise<ProgramFacts | undefined>;
  /** Blobs that others than plans name: of those that nobody names, plans clear away all. */
  readonly blobsOfOthers: () => Promise<readonly string[]>;
  /** How tasks reach hosts. */
  readonly tasks: Pick<Fleet, "canTakeTasks" | "offerTask" | "onArrival">;
  /** Tells whoever looks that hosts of these plans said how far they are. */
  readonly tellSteps: (plans: readonly string[]) => void;
  /** The server as its agents know it: what it orders is signed by this. */
  readonly identity: () => Promise<ServerIdentity>;
  /** This server: where its machine is reached, and on which ports. */
  readonly server: { readonly addresses: () => readonly string[]; readonly ports: () => readonly number[] };
}
