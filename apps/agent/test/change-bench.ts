import { agentHelloFrame, controlPath, serverHelloFrame } from "@gatehouse/channel";
import { faultyVfs, type FaultyVfs } from "@gatehouse/files/faulty";
import { importPrivateKey, publicKeyBytes, signBytes } from "@gatehouse/keys";
import { joinSigned } from "@gatehouse/keys/frame";
import type { Operation } from "@gatehouse/plan";
import { createHash, type KeyObject } from "node:crypto";
import { expect } from "vitest";
import { madeAt, makeSection } from "../../../tests/support/signed-task.ts";
import type { Ceiling } from "../src/ceiling/ceiling.ts";
import type { HostChange, HostReading } from "../src/operations/host-operation.ts";
import type { ChangeDeps } from "../src/safety/change.ts";
import { endOf } from "../src/safety/end-change.ts";
import type { ProofMessages } from "../src/safety/judge-proof.ts";
import type { JournalKind } from "../src/safety/journal-record.ts";
import type { Changes, ChangesDeps } from "../src/safety/open-changes.ts";
import { openChanges } from "../src/safety/open-changes.ts";
import { type Journal, openJournal } from "../src/safety/open-journal.ts";
import type { KeptArtifact } from "../src/tasks/kept-artifact.ts";
import type { JudgedTask } from "../src/tasks/task.ts";
import { hastyVfs } from "./hasty-vfs.ts";
import { makeTaskHost, type TaskHost } from "./task-host.ts";

/** What a change calls on its way, by the names that a test makes fail. */
export type ChangeCall =
  | "validate"
  | "keep"
  | "prove"
  | "check"
  | "arm"
  | "states"
  | "apply"
  | "read"
  | "isApplied"
  | "successor"
  | "ceiling"
  | "restart"
  | "fire"
  | "end"
  | "finish"
  | "drop";

/** A host whose parts are recorded and fail on demand; its journal is on a disk of its own, in memory. */
export interface ChangeBench {
  readonly host: TaskHost;
  readonly disk: FaultyVfs;
  /** What was called, in order. */
  readonly calls: string[];
  /** The artifacts that operations were validated and applied with. */
  readonly given: (readonly KeptArtifact[] | undefined)[];
  readonly lines: string[];
  readonly broken: unknown[];
  /** What throws when it is called. */
  readonly failing: Map<ChangeCall, unknown>;
  /** What happens right before a record is written. */
  readonly before: Map<JournalKind, () => Promise<unknown>>;
  readonly now: {
    isApplied: boolean;
    state: string;
    ceiling: Ceiling;
    hasUnrestored: boolean;
    hasUptime: boolean;
    canMake: boolean;
    /** Whether what the change has put in place goes on with it: by this process or by another. */
    successor: "none" | "this" | "another";
    /** How long each reading takes. */
    readingMs: number;
  };
  readonly judged: JudgedTask;
  /** A process of the helper. With `stopAfter` it is killed when that record is on the disk. */
  readonly open: (stopAfter?: JournalKind) => Changes;
  readonly openJournal: () => Promise<Journal>;
  readonly kinds: () => Promise<string[]>;
  readonly prove: (parts?: Partial<ProofParts>) => Promise<ProofMessages>;
}

export interface ProofParts {
  readonly probe: Uint8Array;
  readonly nodeId: string;
  readonly authority: string;
  readonly path: string;
  readonly server: Uint8Array;
  readonly signer: KeyObject;
  /** What the welcome says that it answers. */
  readonly answered: (framed: Uint8Array) => Uint8Array;
}

export const windowSeconds = 60;
const openTable: Extract<Operation, { kind: "firewall.apply" }> = {
  kind: "firewall.apply",
  table: "gatehouse_edge",
  input: {
    policy: "drop",
    rules: [{ label: "ssh", verdict: "accept", protocol: "tcp", ports: [{ from: 22, to: 22 }] }],
  },
};

export async function makeChangeBench(): Promise<ChangeBench> {
  const host = await makeTaskHost();
  const disk = faultyVfs({ directories: ["/state"] });
  const [calls, lines, broken]: [string[], string[], unknown[]] = [[], [], []];
  const given: (readonly KeptArtifact[] | undefined)[] = [];
  const failing: ChangeBench["failing"] = new Map();
  const before: ChangeBench["before"] = new Map();
  const ceiling: Ceiling = { schema: 1, level: "managed", accepts: "signed", allow: ["firewall.apply:gatehouse_edge"] };
  const now: ChangeBench["now"] = {
    isApplied: true,
    state: "absent",
    ceiling,
    hasUnrestored: false,
    hasUptime: true,
    canMake: true,
    successor: "none",
    readingMs: 0,
  };
  const call = (name: ChangeCall) => {
    calls.push(name);
    if (failing.has(name)) throw failing.get(name);
  };
  const change: HostChange = {
    validate: async ({ artifacts }) => {
      given.push(artifacts);
      call("validate");
    },
    snapshot: () => Promise.reject(new Error("others take the snapshot")),
    prove: () => Promise.reject(new Error("others prove the snapshot")),
    apply: async ({ artifacts }) => {
      given.push(artifacts);
      call("apply");
    },
    isApplied: async () => {
      call("isApplied");
      return now.isApplied;
    },
    restore: () => Promise.reject(new Error("the dead-man restores")),
  };
  const succeeded: HostChange = {
    ...change,
    successor: { start: async () => call("successor"), isThis: async () => now.successor === "this" },
  };
  const reading: HostReading = {
    read: async (_, _operation, { mostBytes, mostMs }) => {
      call("read");
      host.time.uptimeMs += now.readingMs;
      return { lines: [`at most ${mostBytes} in ${mostMs}`] };
    },
  };
  const { paths, owner, judgeDeps } = host;
  const findUptime = () => (now.hasUptime ? judgeDeps.findUptime() : undefined);
  const openOne = () =>
    openJournal({
      vfs: disk,
      directory: "/state/journal",
      withLock: openLock(),
      now: () => host.time.wall,
      uptimeMs: () => host.time.uptimeMs,
      boot: host.time.boot,
    });
  const whose = ({ approvalId, planDigest, index }: JudgedTask) => ({ approvalId, planDigest, index, foreign: [] });
  const judged: JudgedTask = {
    task: `task_${"0".repeat(25)}7`,
    planDigest: "cd".repeat(32),
    index: 0,
    section: makeSection({ nodeId: host.nodeId, operations: [openTable, { ...openTable, table: "gatehouse_two" }] }),
    approvalId: "ab".repeat(16),
    notAfter: madeAt + 3_600_000,
    rollbackWindow: windowSeconds,
    confirmation: "path",
    persons: ["ada"],
    artifacts: [],
  };
  const work: ChangesDeps["work"] = {
    keepSnapshot: async () => {
      call("keep");
      return [{ subject: "firewall:gatehouse_edge", sha256: null }];
    },
    proveSnapshot: async () => call("prove"),
    endBeforeChange: async (_, journal, slot, why) => {
      call("end");
      await journal.append(slot.task, "ended", { ...whose(judged), outcome: "failed_before_change", ...why });
    },
    finishChange: async (_, journal, slot) => {
      call("finish");
      await journal.append(slot.task, "ended", endOf(slot, "applied", { code: "", detail: "" }));
    },
    hasUnrestored: async () => now.hasUnrestored,
    dropLeft: async () => call("drop"),
  };
  const deadman: ChangeDeps["deadman"] = {
    check: async () => call("check"),
    arm: async (_, seconds) => {
      call("arm");
      return { deadlineMs: host.time.uptimeMs + seconds * 1_000 + 0.5 };
    },
    fire: async () => call("fire"),
    stop: async () => undefined,
  };
  const never = () => Promise.reject(new Error("nobody asks for this"));
  const changedHost: ChangeDeps["host"] = {
    findChange: (kind) => {
      if (kind !== "firewall.apply" || !now.canMake) return undefined;
      return now.successor === "none" ? change : succeeded;
    },
    findReading: (kind) => (kind === "log.tail" ? reading : undefined),
    digestStates: async (subjects) => {
      call("states");
      return new Map(subjects.map((subject) => [subject, now.state]));
    },
    // What the pieces of work that are others here would use.
    keepForBoot: never,
    loadKept: never,
  };
  const open = (stopAfter?: JournalKind) =>
    openChanges({
      host: changedHost,
      paths,
      owner,
      vfs: hastyVfs,
      run: async (program: string, args: readonly string[]) => {
        calls.push([program, ...args].join(" "));
        return failing.has("restart") ? { code: 1, stdout: "", stderr: "no" } : { code: 0, stdout: "", stderr: "" };
      },
      clock: { now: () => host.time.wall },
      findUptime,
      openJournal: async () => killedAfter(await openOne(), stopAfter, before),
      deadman,
      log: (line: string) => void lines.push(line),
      readCeiling: () => {
        call("ceiling");
        return now.ceiling;
      },
      work,
      onBroken: (error: unknown) => void broken.push(error),
    });
  const probeNow = async () => Uint8Array.fromHex((await (await openOne()).look())?.probe ?? "00".repeat(32));
  return {
    host,
    disk,
    calls,
    given,
    lines,
    broken,
    failing,
    before,
    now,
    judged,
    open,
    openJournal: openOne,
    kinds: async () => (await (await openOne()).read(0)).map(({ kind }) => kind),
    prove: async (parts = {}) => makeProof({ probe: await probeNow(), ...usualProof(host), ...parts }),
  };
}

/** As within one process: one after the other. */
function openLock() {
  let turn: Promise<unknown> = Promise.resolve();
  return <Value>(act: () => Promise<Value>): Promise<Value> => {
    const next = turn.then(act);
    turn = next.catch(() => undefined);
    return next;
  };
}

/** Whoever has written that record never hears of it: the process is gone. */
function killedAfter(journal: Journal, last: JournalKind | undefined, before: ChangeBench["before"]): Journal {
  let isKilled = false;
  const never = () => new Promise<never>(() => undefined);
  return {
    look: () => (isKilled ? never() : journal.look()),
    read: (after) => journal.read(after),
    applied: (after, take) => journal.applied(after, take),
    recent: (after) => (isKilled ? never() : journal.recent(after)),
    append: async (task, kind, data) => {
      if (isKilled) return never();
      await before.get(kind)?.();
      const slot = await journal.append(task, kind, data);
      isKilled = kind === last;
      return isKilled ? never() : slot;
    },
  };
}

function usualProof({ nodeId, serverKey }: TaskHost): Omit<ProofParts, "probe"> {
  return {
    nodeId,
    authority: "gh.example:443",
    path: controlPath,
    server: publicKeyBytes(serverKey),
    signer: serverKey,
    answered: (framed) => framed,
  };
}

/** The two messages of a hello in which all is as it should be, but for what the test says. */
function makeProof({ probe, nodeId, authority, path, server, signer, answered }: ProofParts): ProofMessages {
  const channel = importPrivateKey(new Uint8Array(32).fill(6));
  const hello = agentHelloFrame({
    versions: { min: 1, max: 1 },
    chosen: 1,
    path,
    authority,
    server,
    serverNonce: new Uint8Array(32).fill(7),
    agentNonce: new Uint8Array(32).fill(8),
    nodeId,
    channelKey: publicKeyBytes(channel),
    probe,
    body: { agentVersion: "0.2.1", cursor: { acked: 0, last: 0 }, features: [] },
  });
  const digest = createHash("sha256").update(answered(hello)).digest();
  const body = { acked: 0, beatSeconds: 10, windowSeconds: 20, head: null, serverTime: madeAt };
  const welcome = serverHelloFrame(new Uint8Array(digest), body);
  return {
    hello: joinSigned(hello, signBytes(channel, hello)),
    welcome: joinSigned(welcome, signBytes(signer, welcome)),
  };
}

/** Waits until a change has come so far. */
export async function untilKinds({ kinds }: ChangeBench, last: JournalKind): Promise<void> {
  await expect.poll(async () => (await kinds()).at(-1), { interval: 1 }).toBe(last);
}

/** Waits until a change stands and waits for its proof. */
export async function untilRestarted({ calls }: ChangeBench): Promise<void> {
  await expect.poll(() => calls.at(-1), { interval: 1 }).toBe("systemctl restart --no-block gatehouse-agent.service");
}

export async function untilIdle(changes: Changes): Promise<void> {
  await expect.poll(() => changes.isBusy(), { interval: 1 }).toBe(false);
}
