import { faultyVfs, type FaultyVfs } from "@gatehouse/files/faulty";
import { fault } from "@gatehouse/contract/faults";
import { type Operation, planSection, subjectOf } from "@gatehouse/plan";
import { agentPaths } from "../src/config.ts";
import type { HostRun } from "../src/host/run-on-host.ts";
import type { HostChange, LoadedParts } from "../src/operations/host-operation.ts";
import type { ChangeDeps, Deadman } from "../src/safety/change.ts";
import { sampleData, sampleTask } from "../src/safety/journal-cases.ts";
import { findBytesAt } from "../src/safety/journal-files.ts";
import type { JournalDataOf } from "../src/safety/journal-record.ts";
import { type Journal, openJournal } from "../src/safety/open-journal.ts";
import { listIn, sha256Of } from "../src/safety/snapshot-files.ts";
import { writeDurably } from "@gatehouse/files";

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** What the sample section changes: a firewall table, a file that is there, a file that is not. */
export const sampleParts = {
  table: "firewall:gatehouse_edge",
  file: "file:/etc/motd",
  newFile: "file:/etc/new",
} as const;

export const hostBefore: Readonly<Record<string, string>> = {
  [sampleParts.table]: "accept",
  [sampleParts.file]: "old words",
};
export const hostAfter: Readonly<Record<string, string>> = {
  [sampleParts.table]: "drop",
  [sampleParts.file]: "new words",
  [sampleParts.newFile]: "more words",
};

const file = { kind: "file.write", mode: "0644", owner: "root", group: "root" } as const;
const operations: readonly Operation[] = [
  { kind: "firewall.apply", table: "gatehouse_edge", input: { policy: "drop", rules: [] } },
  { ...file, path: "/etc/motd", text: "new words" },
  { ...file, path: "/etc/new", text: "more words" },
];

const sampleSection = planSection.parse({
  node: `node_${"0".repeat(26)}`,
  operations,
  preconditions: Object.values(sampleParts)
    .toSorted()
    .map((subject) => ({ subject, state: digestOf(hostBefore[subject]) })),
}) as unknown as JournalDataOf<"accepted">["section"];

/** What was accepted of that change. */
export const sampleAccepted: JournalDataOf<"accepted"> = {
  ...sampleData.accepted,
  section: sampleSection,
};

export interface RestoredHostOptions {
  readonly vfs?: FaultyVfs;
  readonly parts?: Readonly<Record<string, string>>;
  readonly boot?: string;
  readonly uptimeMs?: number;
}

/** A host in memory: parts are words, and every change of one takes its place among the operations of the disk. */
export class RestoredHost {
  readonly vfs: FaultyVfs;
  readonly #started: Readonly<Record<string, string>>;
  readonly parts: Map<string, string>;
  readonly #past: { readonly op: number; readonly subject: string; readonly text: string | undefined }[] = [];
  readonly lines: string[] = [];
  readonly ran: string[] = [];
  /** What the next programs answer. */
  answer: HostRun = { code: 0, stdout: "", stderr: "" };
  /** Throws to make a step of the host fail. */
  readonly before: { restore?: (subject: string) => void; prove?: () => void; snapshot?: () => void } = {};
  readonly deadman: { -readonly [Name in keyof Deadman]: Deadman[Name] };
  uptimeMs: number;
  readonly boot: string;
  /** Tables that cannot be loaded. */
  unloadable: LoadedParts["failed"] = [];

  constructor({ vfs, parts = hostBefore, boot = "boot-1", uptimeMs = 40_000 }: RestoredHostOptions = {}) {
    const tables = new Map([[`${paths.tables}/gatehouse_edge`, encode("accept")]]);
    this.vfs = vfs ?? faultyVfs({ files: tables, directories: ["/var", "/var/lib", paths.helperState, paths.tables] });
    this.#started = parts;
    this.parts = new Map(Object.entries(parts));
    this.boot = boot;
    this.uptimeMs = uptimeMs;
    const note = (what: string) => async () => void this.ran.push(what);
    this.deadman = {
      check: note("check"),
      arm: async () => ({ deadlineMs: 90_000 }),
      fire: note("fire"),
      stop: note("stop"),
    };
  }

  get deps(): ChangeDeps {
    const { vfs, deadman } = this;
    return {
      paths,
      owner: 0,
      vfs,
      deadman,
      clock: { now: () => 1_800_000_000_000 },
      run: async (program, args) => {
        this.ran.push([program, ...args].join(" "));
        return this.answer;
      },
      findUptime: () => ({ boot: this.boot, ms: this.uptimeMs }),
      openJournal: () => this.openJournal(),
      log: (line) => void this.lines.push(line),
      host: {
        findChange: (kind) => (kind === "firewall.apply" || kind === "file.write" ? this.#changeOf(kind) : undefined),
        findReading: () => undefined,
        digestStates: async (subjects) => new Map(subjects.map((one) => [one, digestOf(this.parts.get(one))])),
        keepForBoot: async (operation) => {
          if (operation.kind !== "firewall.apply") return;
          await writeDurably(vfs, `${paths.tables}/${operation.table}`, encode(operation.input.policy));
        },
        loadKept: async () => {
          for (const name of await listIn(vfs, paths.tables)) {
            const bytes = name.endsWith(".tmp") ? undefined : await findBytesAt(vfs, `${paths.tables}/${name}`);
            if (bytes !== undefined) this.put(`firewall:${name}`, decode(bytes));
          }
          return { loaded: [], failed: this.unloadable, ignored: [] };
        },
      },
    };
  }

  openJournal(): Promise<Journal> {
    return openJournal({
      vfs: this.vfs,
      directory: paths.journal,
      withLock: (act) => act(),
      now: () => 1_800_000_000_000,
      uptimeMs: () => this.uptimeMs,
      boot: this.boot,
    });
  }

  put(subject: string, text: string | undefined): void {
    this.#past.push({ op: this.vfs.tick(), subject, text });
    if (text === undefined) this.parts.delete(subject);
    else this.parts.set(subject, text);
  }

  apply(operation: Operation): void {
    const subject = subjectOf(operation) as string;
    this.put(subject, hostAfter[subject]);
  }

  now(): Record<string, string> {
    return Object.fromEntries(this.parts);
  }

  /** The same host started anew after its power was cut at that operation: the kernel has forgotten its tables. */
  rebooted(vfs: FaultyVfs, op: number): RestoredHost {
    const parts = new Map(Object.entries(this.#started));
    for (const { op: at, subject, text } of this.#past) {
      if (at > op) continue;
      if (text === undefined) parts.delete(subject);
      else parts.set(subject, text);
    }
    const kept = [...parts].filter(([subject]) => !subject.startsWith("firewall:"));
    return new RestoredHost({ vfs, parts: Object.fromEntries(kept), boot: `${this.boot}+`, uptimeMs: 1_000 });
  }

  #changeOf(kind: "firewall.apply" | "file.write"): HostChange {
    const subjectAt = (target: string) => `${kind === "firewall.apply" ? "firewall" : "file"}:${target}`;
    return {
      validate: async () => undefined,
      snapshot: async (_, target) => {
        this.before.snapshot?.();
        const text = this.parts.get(subjectAt(target));
        return text === undefined ? null : encode(text);
      },
      prove: async () => this.before.prove?.(),
      apply: async (_, operation) => this.apply(operation),
      isApplied: async (_, operation) => {
        const subject = subjectOf(operation) as string;
        return this.parts.get(subject) === hostAfter[subject];
      },
      restore: async (_, target, copy) => {
        const subject = subjectAt(target);
        this.before.restore?.(subject);
        this.put(subject, copy === null ? undefined : decode(copy));
      },
    };
  }
}

export const paths = agentPaths("/");

export function digestOf(text: string | undefined): string {
  return text === undefined ? "absent" : sha256Of(encode(text));
}

/** Throws as a host does that cannot put something back. */
export function cannotRestore(): never {
  throw fault("restore.failed", "nft ended with 1");
}

/** Everything about the sample change that is open or has ended, as the journal says it. */
export async function endOfSample(host: RestoredHost): Promise<JournalDataOf<"ended"> | undefined> {
  const records = await (await host.openJournal()).read(0);
  const ends = records.flatMap(({ task, end }) => (end !== undefined && task === sampleTask ? [end] : []));
  if (ends.length > 1) throw new Error("a change has ended twice");
  return ends[0];
}
