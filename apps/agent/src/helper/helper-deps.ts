import type { Clock, InTurn } from "@gatehouse/base";
import type { SubjectState } from "@gatehouse/channel";
import type { AgentPaths } from "../config.ts";
import type { Changes } from "../safety/open-changes.ts";
import type { DriftLook } from "../safety/watched-parts.ts";
import type { TaskDesk } from "../tasks/task.ts";
import type { OwnFacts } from "./own-facts.ts";
import type { HelperMinutes } from "./sliding-minute.ts";

/** Tells what parts of the host are like now, within the ceiling. */
export type ReadStates = (question: {
  readonly subjects: readonly string[];
  /** Names what others may not read. */
  readonly privateKey: Uint8Array;
}) => Promise<SubjectState[]>;

/** Reads lines of the logs that root lets be sent, and of no other. */
export type ReadLogs = (question: {
  readonly sources: readonly { readonly source: string; readonly cursor: string | null }[];
  readonly lines: number;
  readonly skip: boolean;
}) => Promise<object>;

/** Hashes again what was confirmed on this host: which parts that are, nobody who asks can say. */
export type ReadDrift = (question: {
  readonly changes: Pick<Changes, "told" | "applied">;
  readonly privateKey: Uint8Array;
}) => Promise<DriftLook>;

/** What the verbs use. */
export interface HelperDeps {
  readonly paths: AgentPaths;
  /** Whom root's files belong to; another one than 0 in tests alone. */
  readonly owner: number;
  readonly clock: Clock;
  /** What counts up is counted by one at a time. */
  readonly inTurn: InTurn;
  /** The ceiling that holds now; throws when the file is not sound. */
  readonly readCeiling: () => { readonly level: "monitor" | "managed" };
  readonly readFacts: () => Promise<OwnFacts>;
  readonly readAddresses: () => readonly string[];
  readonly readStates: ReadStates;
  readonly readLogs: ReadLogs;
  readonly readDrift: ReadDrift;
  readonly tasks: TaskDesk;
  readonly changes: Pick<Changes, "told" | "applied" | "probe" | "prove">;
  readonly minutes: HelperMinutes;
  /** One line for the host's own log. */
  readonly log: (line: string) => void;
  /** The last message of facts: as long as nothing has changed it is given again, so that asking often costs nothing. */
  readonly lastFacts: {
    said?: { readonly about: string; readonly at: number; readonly signed: string };
    /** Why the trust file is not believed, as the log was told. */
    untrusted?: string | undefined;
  };
}
