import { manualClock } from "@gatehouse/base";
import { expect, test } from "vitest";
import { openLog } from "../platform/log/index.ts";
import { openRequestLog, type Finished } from "./request-log.ts";

function linesOf(rules: { accessLog: boolean; slowRequestMs: number }, ...requests: Partial<Finished>[]): string[] {
  const lines: string[] = [];
  const log = openRequestLog(
    openLog({ format: "text", write: (line) => lines.push(line), clock: manualClock() }),
    rules,
  );
  const facts = { requestId: "req_1", method: "GET", path: "/api/audit", clientAddress: "198.51.100.1", now: 0 };
  for (const request of requests) {
    log({ facts, route: "/api/audit", status: 200, bytes: 321, ms: 12.34, isStream: false, ...request });
  }
  return lines;
}

const quiet = { accessLog: false, slowRequestMs: 1_000 };

test("by default a quick request leaves no line, whatever its refusal", () => {
  expect(linesOf(quiet, {}, { status: 404 }, { status: 429 }, { ms: 1_000 })).toEqual([]);
});

test("a slow request is tagged and says everything the contract names", () => {
  const [line, ...rest] = linesOf(quiet, { ms: 1_001 });
  expect(rest).toEqual([]);
  expect(line).toContain(
    "SLOW request method=GET path=/api/audit status=200 bytes=321 ms=1001 address=198.51.100.1 requestId=req_1",
  );
});

test("a failure is logged however quick it was", () => {
  const [line] = linesOf(quiet, { status: 503 });
  expect(line).toContain("request method=GET path=/api/audit status=503");
  expect(line).not.toContain("SLOW");
});

test("with the access log every request is logged, and slow ones keep their tag", () => {
  const lines = linesOf({ accessLog: true, slowRequestMs: 5 }, { ms: 5 }, { ms: 6 });
  expect(lines).toHaveLength(2);
  expect(lines[0]).not.toContain("SLOW");
  expect(lines[1]).toContain("SLOW request");
});

test("a stream is never slow", () => {
  expect(linesOf(quiet, { ms: 60_000, isStream: true })).toEqual([]);
});

test("line ends and escapes in a path stay inside its line, and a long path is cut", () => {
  const facts = {
    requestId: "r",
    method: "GET",
    path: `/a\r\n\u001b[31m${"x".repeat(5_000)}`,
    clientAddress: "::1",
    now: 0,
  };
  const [line = "", ...rest] = linesOf({ accessLog: true, slowRequestMs: 1_000 }, { facts });
  expect(rest).toEqual([]);
  expect(line.slice(0, -1)).not.toMatch(/[\u0000-\u001f]/); // oxlint-disable-line no-control-regex -- what is looked for
  expect(line.length).toBeLessThan(1_300);
});
