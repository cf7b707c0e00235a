import { type Answer, type Reading, readAnswer } from "./answer.ts";
import type { HostileRequest } from "./grammar.ts";
import type { Reply } from "./send.ts";

export interface Verdict {
  readonly status: number | undefined;
  /** What is wrong, in a few words that are the same for the same fault. */
  readonly faults: readonly string[];
}

/** Neither answered nor closed, until the wait was stopped. */
export const unanswered = "stopped without an answer";

/** What must hold for every answer, whatever was asked. */
export function judge(request: HostileRequest, reply: Reply, secrets: readonly string[]): Verdict {
  if (reply.isHung) return { status: undefined, faults: [unanswered] };
  // Empty lines before a request are skipped (RFC 9112, 2.2); nothing else came, so nothing was asked.
  if (reply.bytes === "" && /^[\r\n]*$/.test(request.parts.join(""))) return { status: undefined, faults: [] };
  // Written on to a server that had answered and ended its side: Node gives up such a socket before it reads what had come.
  if (reply.bytes === "" && reply.error === "EPIPE") return { status: undefined, faults: [] };
  const reading = readAnswer(reply.bytes, request.method === "HEAD");
  if (reading.kind !== "whole") return { status: undefined, faults: [unreadable(reading, reply)] };
  const { answer } = reading;
  const faults = [...always(answer), ...refusal(request, answer), ...leaks(reply.bytes, secrets)];
  if (
    isUnderApi(request) &&
    answer.status < 300 &&
    answer.headers.get("cache-control") !== "no-store" &&
    !isShell(answer)
  ) {
    faults.push("an API answer may be cached");
  }
  return { status: answer.status, faults };
}

function unreadable(reading: Exclude<Reading, { kind: "whole" }>, reply: Reply): string {
  if (reading.kind === "malformed") return `malformed answer: ${reading.why}`;
  if (reply.bytes === "") return `closed without an answer${reply.error === undefined ? "" : ` (${reply.error})`}`;
  return "half an answer";
}

const required = [
  "x-request-id",
  "content-security-policy",
  "x-content-type-options",
  "x-frame-options",
  "cache-control",
];

function always({ status, headers }: Answer): string[] {
  const faults = required.filter((name) => !headers.has(name)).map((name) => `no ${name}`);
  if (status >= 500) faults.push(`status ${status}`);
  if (headers.has("access-control-allow-origin")) faults.push("a CORS header");
  if (headers.has("x-injected")) faults.push("an injected header");
  if (headers.has("set-cookie")) faults.push("a cookie");
  return faults;
}

/** RFC 9457, with a code and the id that the header has. */
function refusal(request: HostileRequest, { status, headers, body }: Answer): string[] {
  if (status < 400) return [];
  if (headers.get("content-type") !== "application/problem+json") return ["an error that is no problem"];
  if (request.method === "HEAD") return [];
  try {
    const problem = JSON.parse(Buffer.from(body, "latin1").toString("utf8")) as Record<string, unknown>;
    const isGood =
      typeof problem["code"] === "string" &&
      /^[a-z]+\.[a-z_]+$/.test(problem["code"]) &&
      problem["status"] === status &&
      problem["requestId"] === headers.get("x-request-id") &&
      typeof problem["title"] === "string" &&
      typeof problem["detail"] === "string";
    return isGood ? [] : ["a problem with missing fields"];
  } catch {
    return ["a problem that is not JSON"];
  }
}

function leaks(bytes: string, secrets: readonly string[]): string[] {
  return secrets.some((secret) => bytes.includes(secret)) ? ["a secret of the data directory"] : [];
}

function isUnderApi({ target }: HostileRequest): boolean {
  return target.startsWith("/api/");
}

function isShell({ headers }: Answer): boolean {
  return headers.get("content-type")?.startsWith("text/html") === true;
}
