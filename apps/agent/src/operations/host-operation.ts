import type { JsonObject } from "@gatehouse/base";
import type { ToldLines } from "@gatehouse/contract";
import type { Vfs } from "@gatehouse/files";
import type { Operation, OperationKind } from "@gatehouse/plan";
import type * as z from "zod";
import type { AgentPaths } from "../config.ts";
import type { RunOnHost } from "../host/run-on-host.ts";
import type { RoomClaims } from "./room-claims.ts";
import type { KeptArtifact } from "../tasks/kept-artifact.ts";

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
  readonly change: HostChange;
  /** Of what the kernel forgets when the host is switched off. Absent for what is on a disk. */
  readonly kept?: KeptKind;
}

/** Where confirmed parts are kept for the next boot, and what they are loaded with. */
export interface KeptGround {
  readonly vfs: Vfs;
  readonly paths: Pick<AgentPaths, "root" | "tables" | "wireguard">;
  /** Whom root's files belong to; another one than 0 in tests alone. */
  readonly owner: number;
  readonly run: RunOnHost;
  /** Lets time pass. */
  readonly pause: (ms: number) => Promise<void>;
}

/** What became of the parts that were kept, by the names of their files. */
export interface LoadedParts {
  readonly loaded: readonly string[];
  readonly failed: readonly { readonly name: string; readonly why: string }[];
  /** No file of such a part: nothing was made of it. */
  readonly ignored: readonly string[];
}

export type KeptKind<Kind extends OperationKind = OperationKind> = KeptOf<Extract<Operation, { kind: Kind }>>;

interface KeptOf<One extends Operation> {
  /** On the disk when it returns, in place of what was kept of that part. Safe to be done again. */
  keep(ground: KeptGround, operation: One): Promise<void>;
  /** Each part by itself: one that cannot be loaded keeps no other from it. */
  load(ground: KeptGround): Promise<LoadedParts>;
}

/** How a host does operations of one kind that only read. */
export interface HostReader {
  readonly reading: HostReading;
}

/** What was read; with a code, why nothing could be. */
export type ReadLines = Omit<ToldLines, "operation">;

/** What a reading may take. */
export interface ReadBounds {
  /** As the lines stand in a byte form. */
  readonly mostBytes: number;
  /** Then it is not waited for: the change around it has a window. */
  readonly mostMs: number;
}

/** Changes nothing, and never throws: what cannot be read takes no change back. */
export type HostReading<Kind extends OperationKind = OperationKind> = ReadingOf<Extract<Operation, { kind: Kind }>>;

interface ReadingOf<One extends Operation> {
  read(ground: Pick<ChangeGround, "root" | "run">, operation: One, bounds: ReadBounds): Promise<ReadLines>;
}

/** What a change may use. */
export interface ChangeGround {
  /** `/`; another directory in tests alone. */
  readonly root: string;
  /** Whom the directories of written files must belong to: root. */
  readonly owner: number;
  readonly run: RunOnHost;
  /** Root's own and on the disk: what programs are to read is written there first. It is made when it is missing. */
  readonly directory: string;
  /** Where it is written; tests alone have another disk. */
  readonly vfs?: Vfs | undefined;
  /**
   * Those that the operations of the change name, for `validate` and `apply`. Whatever is made of one is made of what `readArtifact` gives:
   * nobody can change it between the look and the use.
   */
  readonly artifacts?: readonly KeptArtifact[] | undefined;
  /** For `validate`: what the operations before this one will take, by disk, so that together they are not more than there is. */
  readonly claims?: RoomClaims | undefined;
  /** The host is starting, and starts by itself what it starts with. */
  readonly isBoot?: boolean | undefined;
  /** Others have taken the time there was: what is started now is not waited for. */
  readonly isHurried?: boolean | undefined;
  /** Lets time pass. */
  readonly pause: (ms: number) => Promise<void>;
}

/**
 * How a host makes operations of one kind, and takes them back. Each is safe to be done again. What it writes and starts is what the
 * plan's own table says (`workOfOperation`), with the words that stand there.
 */
export type HostChange<Kind extends OperationKind = OperationKind> = ChangeOf<Extract<Operation, { kind: Kind }>>;

/** Methods, so that the change of one kind can stand in a table of all: it is found by the kind of the operation it gets. */
interface ChangeOf<One extends Operation> {
  /** Whether it can be made at all. Changes nothing, and takes away what an earlier change may have left. Throws `validate.failed`. */
  validate(ground: ChangeGround, operation: One): Promise<void>;
  /** What puts back what is there now; null where there is nothing. Throws `snapshot.failed`. */
  snapshot(ground: ChangeGround, target: string): Promise<Uint8Array | null>;
  /** Whether the copy would put it back. Changes nothing. Throws `snapshot.unprovable`. */
  prove(ground: ChangeGround, target: string, copy: Uint8Array | null): Promise<void>;
  /** Throws `apply.failed`. */
  apply(ground: ChangeGround, operation: One): Promise<void>;
  /** Whether the host is now as the operation says. */
  isApplied(ground: ChangeGround, operation: One): Promise<boolean>;
  /** Throws `restore.failed`; `service.down` where a service stays down with all that was put back. */
  restore(ground: ChangeGround, target: string, copy: Uint8Array | null): Promise<void>;
  /** Takes away what only served to take it back: the change is confirmed. Absent where there is nothing. */
  finish?(ground: ChangeGround, operation: One): Promise<void>;
  /** Whether it uses what others put back, and so comes after all of them. */
  readonly isRestoredLast?: true;
  /** Whether it is made step by step: in the middle it is neither as it was nor as the operation says, and nobody else's work. */
  readonly isMadeInSteps?: true;
  /** Whether it is Gatehouse's own: what is found there besides is nobody else's work. */
  readonly isOwn?: true;
  /** Starts what runs of it, once all is put back; not at boot, which starts it by itself. Throws `restore.failed`. Absent where nothing does. */
  startAnew?(ground: ChangeGround): Promise<void>;
  /** Of the program that makes changes: what has replaced it looks at them. Absent for all others. */
  readonly successor?: SuccessorOf<One>;
}

interface SuccessorOf<One extends Operation> {
  /** It goes on with the change, and this process ends. Throws `check.failed`. */
  start(ground: ChangeGround): Promise<void>;
  /** Whether this process runs what the operation has put in place. */
  isThis(ground: ChangeGround, operation: One): Promise<boolean>;
}
