import type { Clock } from "@gatehouse/base";
import type { Vfs } from "@gatehouse/files";
import type { Operation, OperationKind } from "@gatehouse/plan";
import type { AgentPaths } from "../config.ts";
import type { RunOnHost } from "../host/run-on-host.ts";
import type { Uptime } from "../local/uptime.ts";
import type { HostChange, HostReading, LoadedParts } from "../operations/host-operation.ts";
import type { Journal } from "./open-journal.ts";

/** Takes a change back when nobody has said in time that it holds: a timer of systemd, outside of every process of the agent. */
export interface Deadman {
  /** Runs what would take the change back, without doing it, in the very unit that would. Throws `deadman.check`. */
  check(task: string): Promise<void>;
  /** Starts the timer, and reads it back. Throws `deadman.arm` or `deadman.readback`; then no timer is left. */
  arm(task: string, windowSeconds: number): Promise<{ readonly deadlineMs: number }>;
  /** Takes the change back now. It ends the helper, which is not to wait for it. */
  fire(task: string): Promise<void>;
  /** Afterwards there is no timer, whether there was one or not. */
  stop(): Promise<void>;
}

/** The host as a change finds it. Its programs and files; something simpler in tests alone. */
export interface ChangeHost {
  /** Undefined where this version cannot make such operations. */
  findChange(kind: OperationKind): HostChange | undefined;
  /** Undefined for operations that do more than read. */
  findReading(kind: OperationKind): HostReading | undefined;
  /** By subject, as preconditions name them. Throws `state.unreadable`. */
  digestStates(subjects: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** From now on every boot has what the operation made, where the kernel would forget it. */
  keepForBoot(operation: Operation): Promise<void>;
  /** Loads what was kept so. */
  loadKept(): Promise<LoadedParts>;
}

/** What the helper, the dead-man, the boot and root's own rollback use alike. */
export interface ChangeDeps {
  readonly paths: AgentPaths;
  /** Whom root's files belong to; another one than 0 in tests alone. */
  readonly owner: number;
  readonly vfs: Vfs;
  readonly run: RunOnHost;
  readonly host: ChangeHost;
  readonly clock: Pick<Clock, "now">;
  /** The only time that counts within a change. */
  readonly findUptime: () => Uptime | undefined;
  /** Throws `journal.unsound` for one that is not as it was written. */
  readonly openJournal: () => Promise<Journal>;
  readonly deadman: Deadman;
  /** One line for the host's own log. */
  readonly log: (line: string) => void;
}

/** Why a change ends as it does. */
export interface ChangeReason {
  /** A code of the fault table; empty where nothing went wrong. */
  readonly code: string;
  readonly detail: string;
}
