import type { Report } from "@gatehouse/command-line";

/** Where on this host; another directory than `/` in tests alone. */
export interface Place {
  readonly root: string;
}

export interface EnrolRequest extends Place {
  readonly code: string;
  readonly newIdentity: boolean;
  /** The file of an authority, for a server whose certificate no usual one has signed. */
  readonly ca?: string;
}

export interface CeilingRequest extends Place {
  readonly level: "monitor" | "managed";
  readonly allow: readonly string[];
  /** Absent: whose word counted before. */
  readonly accepts?: "signed" | "server";
  /** With `signed` that was asked for. */
  readonly approvers?: ApproversRequest;
  readonly keep?: readonly string[];
  /** Absent: as before. */
  readonly readLogs?: readonly string[];
  /** Absent: as before. */
  readonly sendLogs?: readonly string[];
}

export interface ApproversRequest {
  /** Lines of `.pub` files. */
  readonly lines: readonly string[];
  /** What root has compared them with, where nobody can type. */
  readonly fingerprints: readonly string[];
  /** ID=KEY. Absent: nobody's programs, or as before where the file stays. */
  readonly publishers?: readonly string[];
}

export interface TrustResetRequest extends Place {
  readonly approvers: ApproversRequest;
}

export interface AcceptRequest extends Place {
  /** Nobody is asked. */
  readonly isSure: boolean;
}

/** About one change. */
export interface TaskRequest extends Place {
  readonly task: string;
}

export interface UninstallRequest extends Place {
  readonly purge: boolean;
  readonly dryRun: boolean;
}

export interface ExplainRequest extends Place {
  /** A plan in its byte form, or one section of it. */
  readonly bytes: Uint8Array;
}

/** What the commands ask for. Each body is loaded when it is asked for, so that no verb pays for another. */
export interface AgentVerbs {
  run(place: Place): Promise<Report>;
  helper(place: Place): Promise<Report>;
  explain(request: ExplainRequest): Promise<Report>;
  enrol(request: EnrolRequest): Promise<Report>;
  /** The part of an enrolment that speaks; started by `enrol`. */
  exchange(place: Place): Promise<Report>;
  status(place: Place): Promise<Report>;
  doctor(place: Place): Promise<Report>;
  showCeiling(place: Place): Promise<Report>;
  setCeiling(request: CeilingRequest): Promise<Report>;
  showTrust(place: Place): Promise<Report>;
  resetTrust(request: TrustResetRequest): Promise<Report>;
  resetClock(place: Place): Promise<Report>;
  showWitness(place: Place): Promise<Report>;
  acceptHistory(request: AcceptRequest): Promise<Report>;
  /** Root's word that the open change is taken back. */
  rollback(place: Place): Promise<Report>;
  boot(place: Place): Promise<Report>;
  checkDeadman(request: TaskRequest): Promise<Report>;
  runDeadman(request: TaskRequest): Promise<Report>;
  uninstall(request: UninstallRequest): Promise<Report>;
}
