import { manualClock } from "@gatehouse/base";
import { expect, test } from "vitest";
import { type Log, openLog } from "./index.ts";

function record(format: "text" | "json", act: (log: Log) => void): string[] {
  const written: string[] = [];
  act(openLog({ format, write: (line) => written.push(line), clock: manualClock() }));
  return written;
}

test("a text line reads from left to right: when, how bad, what, details", () => {
  const lines = record("text", (log) => {
    log.info("listening", { address: "127.0.0.1:8088", public: undefined });
    log.warn("SLOW request", { path: "/api/audit?text=two words", status: 200, ms: 1204.5, cached: false });
  });
  expect(lines).toEqual([
    "2026-01-01T00:00:00.000Z info  listening address=127.0.0.1:8088\n",
    '2026-01-01T00:00:00.000Z warn  SLOW request path="/api/audit?text=two words" status=200 ms=1204.5 cached=false\n',
  ]);
});

test("a JSON line is one object with typed fields", () => {
  const [line = ""] = record("json", (log) => log.info("listening", { port: 8088, tls: false, note: undefined }));
  expect(JSON.parse(line)).toEqual({
    time: "2026-01-01T00:00:00.000Z",
    level: "info",
    message: "listening",
    port: 8088,
    tls: false,
  });
});

test("a field cannot pose as the time, level or message of its event", () => {
  const [line = ""] = record("json", (log) => log.warn("real", { level: "info", message: "posed", time: "never" }));
  expect(JSON.parse(line)).toMatchObject({ level: "warn", message: "real", time: "2026-01-01T00:00:00.000Z" });
});

test("a text value cannot look like another field", () => {
  const [line] = record("text", (log) => log.info("request", { path: '/a status=200 b="c"', empty: "" }));
  expect(line).toContain('path="/a status=200 b=\\"c\\"" empty=""\n');
});

const hostile = [
  "\r\n2026-01-01T00:00:00.000Z info forged",
  "\u2028\u2029",
  "\0",
  "\u001b[31mred\u001b]0;title\u0007",
  "\u009b2J\u0085",
  "\u007f\b\v\f",
  "\u202egpj.exe\u2066",
  "\ud800 alone",
];

test.each(["text", "json"] as const)("in %s, one event is one inert line whatever its texts hold", (format) => {
  for (const text of hostile) {
    const lines = record(format, (log) => log.error(text, { [text]: text }, new Error(text)));
    expect(lines).toHaveLength(1);
    const [line = ""] = lines;
    expect(line.endsWith("\n")).toBe(true);
    expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202a-\u202e\u2066-\u2069]/u);
  }
});

test("JSON keeps the value: what was escaped reads back as it was", () => {
  for (const text of hostile) {
    const [line = ""] = record("json", (log) => log.info(text, { text }));
    expect(JSON.parse(line)).toMatchObject({ message: text, text });
  }
});

test("a failure is logged with its stack and the causes behind it, in one line", () => {
  const failure = new Error("outer", { cause: new AggregateError([new Error("first"), new Error("second")], "inner") });
  const [line = ""] = record("text", (log) => log.error("could not start", {}, failure));
  for (const part of ["outer", "inner", "first", "second", "open-log.test.ts"]) expect(line).toContain(part);
});

test("properties of an error stay out of the log", () => {
  const failure = Object.assign(new Error("refused"), { request: { authorization: "Bearer canary" } });
  expect(record("json", (log) => log.error("failed", {}, failure)).join("")).not.toContain("canary");
  expect(record("json", (log) => log.error("failed", {}, { canary: 1 })).join("")).not.toContain("canary");
});

test("causes that point at each other end", () => {
  const failure = new Error("round");
  failure.cause = failure;
  expect(record("text", (log) => log.error("failed", {}, failure)).join("")).toContain("more than is shown");
});

test("a huge value is cut, and the line says by how much", () => {
  const [line = ""] = record("text", (log) => log.info("x", { body: "b".repeat(1_000_000) }));
  expect(line.length).toBeLessThan(17_000);
  expect(line).toContain("(983616 more)");
});
