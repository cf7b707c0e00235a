import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { faults } from "@gatehouse/contract";
import { problemSchema } from "@gatehouse/contract/routes";
import { describe, expect, test } from "vitest";
import { type Answer, ask, type Question } from "./ask.ts";
import { freshDirectory } from "./driver/directories.ts";
import { isExternal, runServer, startServer, testWithControl, useServer } from "./server-under-test.ts";
import { askWhileStopping } from "./while-stopping.ts";

/** Contract 7: the form of every error answer, which the contract leaves open, and the starts that fail. */
const server = useServer();
const json = { "Content-Type": "application/json" };

interface Row {
  readonly what: string;
  readonly question: Question;
  readonly status: number;
  readonly code: keyof typeof faults;
}

const rows: readonly Row[] = [
  { what: "an unknown route", question: { path: "/api/nothing" }, status: 404, code: "request.unknown_route" },
  {
    what: "an unknown asset",
    question: { path: "/assets/nothing.js" },
    status: 404,
    code: "request.unknown_route",
  },
  {
    what: "a method the route does not take",
    question: { method: "DELETE", path: "/api/version" },
    status: 405,
    code: "request.method_not_allowed",
  },
  {
    what: "a missing credential",
    question: { path: "/api/events" },
    status: 401,
    code: "auth.credential_required",
  },
  {
    what: "a credential that is none",
    question: { path: "/api/events", headers: { Authorization: "Bearer nonsense" } },
    status: 401,
    code: "auth.credential_refused",
  },
  {
    what: "a Host of somebody else",
    question: { path: "/api/version", headers: { Host: "somebody.example" } },
    status: 421,
    code: "request.unknown_host",
  },
  {
    what: "a body that is no JSON",
    question: { method: "POST", path: "/api/csp-reports", headers: json, body: "{" },
    status: 400,
    code: "request.malformed",
  },
  {
    what: "a body that is too large",
    question: { method: "POST", path: "/api/csp-reports", headers: json, body: `{"a":"${"b".repeat(16 * 1024)}"}` },
    status: 413,
    code: "request.body_too_large",
  },
  {
    what: "a media type the route does not take",
    question: { method: "POST", path: "/api/csp-reports", headers: { "Content-Type": "text/plain" }, body: "{}" },
    status: 415,
    code: "request.unsupported_media_type",
  },
  {
    what: "headers that are too large",
    question: { path: "/api/health", headers: { "X-Filler": "f".repeat(17 * 1024) } },
    status: 431,
    code: "request.headers_too_large",
  },
];

describe("HTTP status codes and JSON error body shape", () => {
  for (const { what, question, status, code } of rows) {
    test(`${what} is answered with ${status} and \`${code}\``, async () => {
      const answer = await ask(server.baseUrl, question);
      expect(answer.status).toBe(status);
      expectProblem(answer, code);
    });
  }

  test("405 names the methods there are, 401 the way to identify", async () => {
    expect((await ask(server.baseUrl, { method: "PUT", path: "/api/version" })).headers.allow).toBe("GET, HEAD");
    expect((await ask(server.baseUrl, "/api/events")).headers["www-authenticate"]).toMatch(/^Bearer realm="/);
  });

  test("a refusal of a HEAD request has the head and no body", async () => {
    const answer = await ask(server.baseUrl, { method: "HEAD", path: "/api/nothing" });
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 404, text: "" });
    expect(answer.headers["content-type"]).toBe("application/problem+json");
  });

  testWithControl("429 says in `Retry-After` when to come back", async () => {
    const limited = await startServer({ settings: { SERVICE_API_RATE: "1,2" } });
    // Sent at once: only a server that needs a minute for them could let all of them in.
    const answers = await Promise.all(Array.from({ length: 60 }, () => ask(limited.baseUrl, "/api/version")));
    const refusal = answers.find(({ status }) => status === 429);
    if (refusal === undefined) throw new Error(`nobody was limited: ${answers.map(({ status }) => status).join()}`);
    expectProblem(refusal, "request.rate_limited");
    expect(Number(refusal.headers["retry-after"])).toBeGreaterThanOrEqual(1);
    // Probes are never kept out by the traffic of others.
    expect((await ask(limited.baseUrl, "/api/health")).status).toBe(200);
  });

  testWithControl("a 5xx says which request failed and nothing about how", async () => {
    const stopping = await startServer();
    const answer = await askWhileStopping(stopping, "/api/ready");
    expect(answer.status).toBe(503);
    expect(answer.json).toMatchObject({
      status: 503,
      code: "server.stopping",
      detail: faults["server.stopping"].title,
    });
    expect(JSON.stringify(answer.json)).not.toMatch(/\.ts\b|node:|\/data|Error:/);
    expect(answer.json["requestId"]).toBe(answer.headers["x-request-id"]);
  });
});

describe.skipIf(isExternal)("Startup fails", () => {
  test("when `SERVICE_MASTER_KEY_FILE` names a missing file", async () => {
    const missing = join(freshDirectory(), "missing.key");
    await expectFailedStart({ SERVICE_MASTER_KEY_FILE: missing }, new RegExp(`SERVICE_MASTER_KEY_FILE .*${missing}`));
  });

  test("when it names what is no key", async () => {
    const file = join(freshDirectory(), "no.key");
    writeFileSync(file, "not a key\n");
    await expectFailedStart({ SERVICE_MASTER_KEY_FILE: file }, /64 lowercase hexadecimal digits/);
  });

  test("when the data directory is a file, or cannot be written", async () => {
    const file = join(freshDirectory(), "file");
    writeFileSync(file, "");
    await expectFailedStart({ SERVICE_DATA_DIR: file }, /cannot be created or entered/);
  });

  test("when the address is taken", async () => {
    const { host } = new URL(server.baseUrl);
    await expectFailedStart({ SERVICE_LISTEN: host }, /SERVICE_LISTEN: cannot listen on .*EADDRINUSE/);
  });

  test("when a data file is in its way as a directory", async () => {
    const dataDir = freshDirectory();
    mkdirSync(join(dataDir, "state.json"));
    await expectFailedStart({ SERVICE_DATA_DIR: dataDir }, /state\.json/);
  });

  test("when it is given words it does not know", async () => {
    const { code, err } = await runServer(["--port", "8080"]);
    expect({ code, lines: err.split("\n").length }).toEqual({ code: 1, lines: 1 });
    expect(err).toContain("--help");
  });
});

/** RFC 9457, with a code that is listed, and the id under which the log knows the request. */
function expectProblem(answer: Answer, code: keyof typeof faults): void {
  expect(answer.headers["content-type"]).toBe("application/problem+json");
  expect(answer.headers["cache-control"]).toBe("no-store");
  const problem = problemSchema.parse(answer.json);
  expect(problem).toMatchObject({
    type: `urn:gatehouse:problem:${code}`,
    title: faults[code].title,
    status: answer.status,
    code,
    requestId: answer.headers["x-request-id"],
  });
  expect(problem.detail).not.toBe("");
}

/** One line on standard error that says what to do, exit code 1, and no stack. */
async function expectFailedStart(settings: Record<string, string>, reason: RegExp): Promise<void> {
  const { code, out, err } = await runServer([], { settings });
  expect(code).toBe(1);
  // It may have come as far as looking at the bundles.
  expect(out.replace(/^.* info +plugin bundles are loaded .*$/m, "")).toBe("");
  expect(err).toMatch(reason);
  expect(err.split("\n")).toHaveLength(1);
  expect(err).not.toMatch(/\n\s+at |this is a defect/);
}
