import type { JsonObject } from "@gatehouse/base";
import type * as z from "zod";
import type { RunOnHost } from "../host/run-on-host.ts";

/** What a reading of the host may use. */
export interface StateGround {
  /** `/`; another directory in tests alone. */
  readonly root: string;
  /** Bounded: a program that takes too long is ended. */
  readonly run: RunOnHost;
  /** Throws `read.limit` when the question has had its time. */
  readonly checkTime: () => void;
  /** A key of this host: names what others may not read, so that no hash of a secret leaves the host. */
  readonly privateKey: Uint8Array;
}

/** How a host does operations of one kind. */
export interface HostOperation {
  /** What stands before the colon of its subjects. */
  readonly prefix: string;
  /** The form of what stands behind it: the very one that plans are held to. */
  readonly target: z.ZodType<string>;
  /** What that part of the host is like now; null when there is none. Throws the fault that says why it cannot be told. */
  readonly readState: (ground: StateGround, target: string) => Promise<JsonObject | null>;
}
