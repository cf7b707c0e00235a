import { type ControlFrame, controlFrames, type FrameOf, type FrameType } from "@gatehouse/channel";
import { ceilingKindNames } from "../../apps/agent/src/ceiling/kinds.ts";
import { helperVerbs } from "../../apps/agent/src/helper/helper-verbs.ts";

/** A name that a server puts into `t`, with fields that would mean something if anybody read them. */
export interface EvilType {
  readonly type: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Whether this version takes it from a server: everything else is refused as unknown. */
  readonly taken: boolean;
}

const key = "A".repeat(43);
const digest = "0".repeat(64);
const part = { sha256: digest, size: 1 };
const task = `task_${"0".repeat(26)}`;

/** A change as a server asks for it. */
export const sampleTask: FrameOf<"task"> = {
  t: "task",
  task,
  planDigest: digest,
  index: 0,
  parts: { header: part, digests: { ...part, size: 32 }, section: part, approvals: part, artifacts: [] },
};

/** A question that no ceiling of this suite lets be answered. */
export const sampleQuestion: FrameOf<"want-state"> = { t: "want-state", request: key, subjects: ["file:/etc/shadow"] };

/** One good frame of every type there is, whoever sends it. */
const samples: { readonly [Type in FrameType]: FrameOf<Type> } = {
  beat: { t: "beat", seq: 0, at: 0, values: [] },
  "beat-ack": { t: "beat-ack", seq: 0 },
  facts: { t: "facts", signed: "AA", ceiling: "AA", addresses: [], units: [] },
  out: { t: "out", seq: 1, kind: "outcome", body: { what: "applied" } },
  "out-ack": { t: "out-ack", seq: 0 },
  "want-state": sampleQuestion,
  state: { t: "state", request: key, piece: 0, pieces: 1, bytes: "AA" },
  "state-refused": { t: "state-refused", request: key, code: "read.ceiling", detail: "" },
  task: sampleTask,
  pull: { t: "pull", request: 1, sha256: digest, offset: 0, length: 262_144 },
  "pull-end": { t: "pull-end", request: 1, reason: "blob.digest" },
  "task-refused": { t: "task-refused", task, code: "ceiling.off", detail: "" },
  "task-taken": { t: "task-taken", task },
  "~step": { t: "~step", task, state: "armed", at: 0 },
  "~minutes": { t: "~minutes", at: 0, minutes: [{ at: 0, values: [100] }] },
  "want-logs": { t: "want-logs", checkpoint: null, linesPerSecond: 1_000, behindSeconds: 300 },
  logs: { t: "logs", seq: 1, at: 0, sources: ["a.service"], lines: [], dropped: [], checkpoint: "" },
  "logs-ack": { t: "logs-ack", seq: 1, pauseMs: 0, kept: false },
  head: { t: "head", signed: "AA" },
  "want-heads": { t: "want-heads", from: 1 },
  heads: { t: "heads", from: 1, rows: "", signed: "AA" },
  "~witness": { t: "~witness", held: null, code: null },
  wake: { t: "wake", session: "AA", grant: "AA" },
  "channel-key": { t: "channel-key", signed: "AA" },
  bye: { t: "bye", code: "evil.server" },
};

/** What the agent takes from a server; the compiler does not know, and the honest run would not pass without them. */
const takenTypes: readonly string[] = [
  "beat-ack",
  "out-ack",
  "want-state",
  "want-logs",
  "logs-ack",
  "head",
  "heads",
  "task",
  "pull-end",
  "bye",
];

/** Names that the protocol keeps for later versions: none of them may work by accident before. */
function reservedTypes(place: string): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const section = { node: "node_0", operations: ceilingKindNames.map((kind) => operationOf(kind, place)) };
  return {
    "task-cancel": { task },
    "task-now": { task, planDigest: digest, index: 0, section },
    "out-rewind": { from: 0 },
    "want-log": { request: 1, source: "/etc/shadow", lines: 1_000 },
    "stop-log": { request: 1 },
    step: { task, state: "applying", at: 0 },
    checked: { approvalId: key, messages: ["AA"] },
    settle: { approvalId: key, messages: ["AA"] },
    statement: { container: "AA", approvals: [{ statement: "AA", ssh: "AA" }] },
    trust: {
      file: { schema: 1, epoch: 1, persons: [] },
      ceiling: { schema: 1, level: "managed", allow: ["agent.update"] },
    },
  };
}

/** What the helper may be asked on its own socket in later versions, besides what it is asked today. */
const reservedVerbs: readonly string[] = [
  "trust",
  "clock",
  "log.tail",
  "blob.data",
  "task.status",
  "probe.get",
  "probe.proof",
  "together.put",
  "statement.put",
  "trust.put",
  "journal.read",
  "terminal.open",
  "terminal.data",
];

/** What somebody would try who has heard of other agents, or of JavaScript. */
const guesses: readonly string[] = [
  "exec",
  "shell",
  "update",
  "uninstall",
  "enrol",
  "ceiling.set",
  "file.put",
  "constructor",
  "__proto__",
  "toString",
  "hasOwnProperty",
  "valueOf",
];

/** Everything that a server can name, of this version, of later ones and of none. `place` is a path that it would like to write. */
export function evilTypes(place: string): readonly EvilType[] {
  const change = { path: place, text: "evil\n", mode: 0o4777, argv: ["/bin/sh", "-c", `id > ${place}`] };
  const row = (type: string, fields: EvilType["fields"]): EvilType => {
    return { type, fields, taken: takenTypes.includes(type) };
  };
  const known = Object.values<ControlFrame>(samples).map(({ t, ...fields }) => row(t, fields));
  const reserved = Object.entries(reservedTypes(place)).map(([type, fields]) => row(type, fields));
  const verbs = [...new Set([...Object.keys(helperVerbs), ...reservedVerbs])];
  const asked = verbs.map((verb) => row(verb, { v: 1, id: 1, verb, channelKey: key, server: key, ...change }));
  const operations = ceilingKindNames.map((kind) => row(kind, operationOf(kind, place)));
  const others = guesses.map((name) => row(name, change));
  return unique([...known, ...reserved, ...asked, ...operations, ...others]);
}

/** The types of this version that a server may send, with how large each may be. */
export const serverTypes = Object.entries(controlFrames).flatMap(([type, { from, most }]) =>
  (from as readonly string[]).includes("server")
    ? [{ sample: samples[type as FrameType], most, end: endOf(type) }]
    : [],
);

/** How a connection ends on which such a frame came, and then a goodbye: nothing was pulled and no line sent that could be answered. */
function endOf(type: string): string {
  if (type === "pull-end" || type === "logs-ack") return "frame.malformed";
  return takenTypes.includes(type) ? "bye" : "frame.unknown";
}

function operationOf(kind: string, place: string): Readonly<Record<string, unknown>> {
  return {
    kind,
    path: place,
    content: { text: "evil\n", sha256: digest },
    table: "gatehouse_filter",
    interface: "wg0",
    unit: "nginx.service",
    precondition: digest,
  };
}

function unique(types: readonly EvilType[]): EvilType[] {
  return types.filter(({ type }, at) => types.findIndex((other) => other.type === type) === at);
}
