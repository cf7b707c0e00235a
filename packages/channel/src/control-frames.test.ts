import { hostLogLimits } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { controlFrames, type ControlFrame, readControlFrame, writeControlFrame } from "./control-frames.ts";
import { closeCodeOf, closeCodes } from "./close-codes.ts";
import { channelLimits } from "./limits.ts";

const part = { sha256: "a".repeat(64), size: 1 };

const samples: Record<keyof typeof controlFrames, ControlFrame> = {
  beat: { t: "beat", seq: 1, at: 1_800_000_000_000, values: [0.5, 2] },
  "beat-ack": { t: "beat-ack", seq: 1 },
  facts: { t: "facts", signed: "AAAA", ceiling: "AAAA", addresses: ["192.0.2.1"], units: [{ name: "a", state: "b" }] },
  out: { t: "out", seq: 1, kind: "event", body: { any: ["thing", null] } },
  "out-ack": { t: "out-ack", seq: 0 },
  "want-state": { t: "want-state", request: "A".repeat(43), subjects: ["file:/etc/motd", "host:ssh"] },
  state: { t: "state", request: "A".repeat(43), piece: 0, pieces: 2, bytes: "AAAA" },
  "state-refused": { t: "state-refused", request: "A".repeat(43), code: "read.ceiling", detail: "file:/etc/shadow" },
  task: {
    t: "task",
    task: `task_${"0".repeat(26)}`,
    planDigest: "a".repeat(64),
    index: 0,
    parts: { header: part, digests: part, section: part, approvals: part, artifacts: [part] },
  },
  pull: { t: "pull", request: 1, sha256: "a".repeat(64), offset: 0, length: 262_144 },
  "pull-end": { t: "pull-end", request: 1, reason: "blob.not_wanted" },
  "task-refused": { t: "task-refused", task: `task_${"0".repeat(26)}`, code: "ceiling.off", detail: "it takes none" },
  "task-taken": { t: "task-taken", task: `task_${"0".repeat(26)}` },
  "~step": { t: "~step", task: `task_${"0".repeat(26)}`, state: "armed", at: 1_800_000_000_000 },
  "~minutes": { t: "~minutes", at: 1_800_000_000_000, minutes: [{ at: 1_799_999_940_000, values: [0.5, null] }] },
  "want-logs": { t: "want-logs", checkpoint: null, linesPerSecond: 200, behindSeconds: 300 },
  logs: {
    t: "logs",
    seq: 1,
    at: 1_800_000_000_000,
    sources: ["nginx.service"],
    lines: [{ s: 0, at: 1_799_999_999_000, level: 6, text: "a line" }],
    dropped: [{ s: 0, lines: null, from: 1, to: 2 }],
    checkpoint: "{}",
  },
  "logs-ack": { t: "logs-ack", seq: 1, pauseMs: 0, kept: true },
  head: { t: "head", signed: "AAAA" },
  "want-heads": { t: "want-heads", from: 1 },
  heads: { t: "heads", from: 1, rows: "", signed: "AAAA" },
  "~witness": { t: "~witness", held: null, code: "witness.gap" },
  wake: { t: "wake", session: "AAAA", grant: "AAAA" },
  "channel-key": { t: "channel-key", signed: "AAAA" },
  bye: { t: "bye", code: "channel.replaced", retryAfter: 60 },
};

test.each(Object.entries(samples))("%s is taken from those who may send it, and from nobody else", (type, sample) => {
  const from: readonly string[] = controlFrames[type as keyof typeof controlFrames].from;
  for (const end of ["agent", "server"] as const) {
    const read = () => readControlFrame(writeControlFrame(sample), end);
    if (from.includes(end)) expect(read()).toEqual(sample);
    else expect(read).toThrow(/^frame\.unknown/);
  }
});

test("a log has a name that root of a host can give it: one path, or one service", () => {
  const named = (name: string) => writeControlFrame({ ...samples.logs, sources: [name] } as ControlFrame);
  const good = ["/var/log/app.log", "/a", "nginx.service", "app@1.service", `/${"a".repeat(99)}`];
  for (const name of good) expect(readControlFrame(named(name), "agent")).toMatchObject({ sources: [name] });
  const bad = ["", "a", "a,b.service", "/a,/b", "/../etc", "/a/", "x\u{1b}[31m.service", `/${"a".repeat(600)}`];
  bad.push(`/${"a".repeat(120)}`.repeat(5), "\ud800.service", "/Zoë", "a.timer", " a.service", "(others)");
  for (const name of bad) expect(() => readControlFrame(named(name), "agent"), name).toThrow(/^frame\.malformed/);
});

test("a note of lines that were left out says no number that could not be added up", () => {
  const { droppedLines } = hostLogLimits;
  const saying = (lines: number) =>
    writeControlFrame({ ...samples.logs, dropped: [{ s: 0, lines, from: 1, to: 2 }] } as ControlFrame);
  expect(readControlFrame(saying(droppedLines), "agent")).toMatchObject({ dropped: [{ lines: droppedLines }] });
  expect(() => readControlFrame(saying(droppedLines + 1), "agent")).toThrow(/^frame\.malformed/);
});

test.each(Object.entries(samples))(
  "%s with a field more, a field less or too many bytes is refused",
  (type, sample) => {
    const spec = controlFrames[type as keyof typeof controlFrames];
    const from = spec.from[0];
    expect(() => readControlFrame(JSON.stringify({ ...sample, more: 1 }), from)).toThrow(/^frame\.malformed/);
    const [first] = Object.keys(sample).filter((key) => key !== "t");
    const less = Object.fromEntries(Object.entries(sample).filter(([key]) => key !== first));
    expect(() => readControlFrame(JSON.stringify(less), from)).toThrow(/^frame\.malformed/);
    const padded = writeControlFrame(sample).padEnd(spec.most + 1, " ");
    expect(() => readControlFrame(padded, from)).toThrow(/^frame\.too_large/);
  },
);

test.each([
  ["a key twice", '{"t":"beat","t":"beat"}', "frame.malformed"],
  ["a key that reaches a prototype", '{"__proto__":1,"t":"beat"}', "frame.malformed"],
  ["a number above 2^53", '{"t":"beat","seq":9007199254740993,"at":1,"values":[]}', "frame.malformed"],
  ["depth", `{"t":"out","seq":1,"kind":"event","body":${"[".repeat(20)}${"]".repeat(20)}}`, "frame.malformed"],
  ["no type", "{}", "frame.malformed"],
  ["a list", "[]", "frame.malformed"],
  ["no JSON", "x", "frame.malformed"],
  ["an unknown type", '{"t":"statement"}', "frame.unknown"],
  ["a name of every object", '{"t":"toString"}', "frame.unknown"],
  ["more than any frame", " ".repeat(channelLimits.frameBytes + 1), "frame.too_large"],
])("%s is refused by name", (_, text, code) => {
  expect(() => readControlFrame(text, "agent")).toThrow(new RegExp(`^${code.replace(".", "\\.")}`));
});

test("the largest piece of an answer fits into its frame, and the largest answer into its pieces", () => {
  const bytes = "A".repeat(Math.ceil((channelLimits.statePieceBytes * 4) / 3));
  const pieces = Math.ceil(channelLimits.stateBytes / channelLimits.statePieceBytes);
  const piece: ControlFrame = { t: "state", request: "A".repeat(43), piece: pieces - 1, pieces, bytes };
  expect(readControlFrame(writeControlFrame(piece), "agent")).toEqual(piece);
});

test("a question about as many parts as there may be fits into its frame, whatever it asks for", () => {
  const subjects = Array.from({ length: channelLimits.stateSubjects }, (_, at) => `file:/${at}`.padEnd(600, "x"));
  const question: ControlFrame = { t: "want-state", request: "A".repeat(43), subjects };
  expect(readControlFrame(writeControlFrame(question), "server")).toEqual(question);
});

test("an unknown type that says it may be ignored is ignored", () => {
  expect(readControlFrame('{"t":"~later","x":1}', "server")).toBeUndefined();
});

test("the other end's words do not reach a log unchanged", () => {
  expect(() => readControlFrame('{"t":"a\\u001b[31m"}', "agent")).toThrow(/a\?\?31m/);
});

test("a refusal closes with a code that tells what to do next", () => {
  expect(closeCodeOf("frame.unknown")).toBe(closeCodes.malformed);
  expect(closeCodeOf("hello.revoked")).toBe(closeCodes.refused);
  expect(closeCodeOf("channel.silent")).toBe(closeCodes.timeout);
});
