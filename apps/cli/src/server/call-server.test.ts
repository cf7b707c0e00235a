import { once } from "node:events";
import { createServer } from "node:net";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  endSessionRoute,
  healthRoute,
  loginRoute,
  planDocumentRoute,
  logoutRoute,
  putArtifactPartRoute,
  usersRoute,
  versionRoute,
} from "@gatehouse/contract/routes";
import { expect, onTestFinished, test } from "vitest";
import { sendJson, sendProblem, startSmallServer } from "../../test/small-server.ts";
import { callServer, type ServerCredential } from "./call-server.ts";

const session: ServerCredential = { kind: "session", cookie: { name: "gatehouse", value: "abc" } };
const token: ServerCredential = { kind: "token", token: "gth_x" };
const noItems = { items: [], nextCursor: null };

test("a call sends the credential and what the row names, and gives checked data", async () => {
  const server = await startSmallServer((response) => sendJson(response, 200, noItems));
  const { data } = await callServer({ server: server.url, credential: token }, usersRoute, {
    query: { limit: "5", cursor: undefined },
  });
  expect(data).toEqual(noItems);
  const [{ method, path, headers } = { method: "", path: "", headers: {} }] = server.received;
  expect({ method, path }).toEqual({ method: "GET", path: "/api/users?limit=5" });
  expect(headers).toMatchObject({
    authorization: "Bearer gth_x",
    "user-agent": expect.stringMatching(/^gatehouse-cli\//),
  });
  expect(headers).not.toHaveProperty("cookie");
  expect(headers).not.toHaveProperty("origin");
  expect(headers).not.toHaveProperty("sec-fetch-site");
});

test("a change by cookie says that it comes from the server's own origin", async () => {
  const server = await startSmallServer((response) => response.writeHead(204).end());
  await callServer({ server: server.url, credential: session }, logoutRoute);
  const [{ headers, body } = { headers: {}, body: "?" }] = server.received;
  expect(headers).toMatchObject({ cookie: "gatehouse=abc", origin: server.url.origin });
  expect(headers).not.toHaveProperty("authorization");
  expect(headers).not.toHaveProperty("content-type");
  expect(body).toBe("");
});

test("a parameter of the path stays one segment of it", async () => {
  const server = await startSmallServer((response) => response.writeHead(204).end());
  await callServer({ server: server.url, credential: session }, endSessionRoute, { params: { id: "../../x?y#z" } });
  expect(server.received[0]?.path).toBe("/api/auth/sessions/..%2F..%2Fx%3Fy%23z");
});

test("a refusal is told in the server's words", async () => {
  const server = await startSmallServer((response) =>
    sendProblem(response, 403, "auth.scope_missing", { todo: "Do this.", scope: "user:admin" }),
  );
  await expect(callServer({ server: server.url, credential: token }, usersRoute)).rejects.toMatchObject({
    code: "auth.scope_missing",
    detail: "why",
    todo: "Do this.",
    fields: { scope: "user:admin", status: 403 },
  });
});

test("a refusal of a newer server, with a code nobody here knows, is told too", async () => {
  const server = await startSmallServer((response) => sendProblem(response, 409, "moon.full", { todo: "Wait." }));
  await expect(callServer({ server: server.url }, usersRoute)).rejects.toMatchObject({
    code: "moon.full",
    todo: "Wait.",
  });
});

test.each([
  [
    "the request's id is told when the server failed",
    500,
    "server.internal",
    {},
    session,
    { detail: "why (request r1)" },
  ],
  ["how long to wait is told", 429, "request.rate_limited", { retryAfter: 7 }, session, { todo: "Try again in 7 s." }],
  [
    "an ended session is to be begun again",
    401,
    "auth.credential_refused",
    {},
    session,
    { todo: expect.stringContaining("gatehouse login") },
  ],
  [
    "a token that is not accepted is named by its variable",
    401,
    "auth.credential_refused",
    {},
    token,
    { todo: expect.stringContaining("GATEHOUSE_TOKEN") },
  ],
])("%s", async (_, status, code, more, credential, told) => {
  const server = await startSmallServer((response) => sendProblem(response, status, code, more));
  await expect(callServer({ server: server.url, credential }, usersRoute)).rejects.toMatchObject(told);
});

test("a field that a newer server adds is left out; a field that is wrong is refused", async () => {
  const health = await startSmallServer((response) => sendJson(response, 200, { status: "ok", mood: "good" }));
  expect((await callServer({ server: health.url }, healthRoute)).data).toEqual({ status: "ok" });
  const deep = await startSmallServer((response) =>
    sendJson(response, 200, { ...noItems, items: [{ id: 7, odd: 1 }] }),
  );
  await expect(callServer({ server: deep.url }, usersRoute)).rejects.toMatchObject({
    code: "cli.answer_unexpected",
    detail: expect.stringContaining("answer.items.0.id"),
  });
});

test("an answer that is a thing of its own comes byte by byte, and only under its own media type", async () => {
  const bytes = Buffer.from('{ "a" : 1 }\n');
  const answered = (type: string) =>
    startSmallServer((response) => response.writeHead(200, { "Content-Type": type }).end(bytes));
  const [good, other] = [await answered("application/json; charset=utf-8"), await answered("text/html")];
  const call = { params: { id: "plan_1" } };
  expect(Buffer.from((await callServer({ server: good.url }, planDocumentRoute, call)).data)).toEqual(bytes);
  expect(good.received).toMatchObject([{ path: "/api/plans/plan_1/document" }]);
  await expect(callServer({ server: other.url }, planDocumentRoute, call)).rejects.toMatchObject({
    code: "cli.answer_unexpected",
    detail: expect.stringContaining("text/html"),
  });
});

test("bytes go out as they are, under the media type of their row and with their length", async () => {
  const server = await startSmallServer((response) => sendProblem(response, 409, "artifact.differs"));
  const bytes = new TextEncoder().encode("0123456789".repeat(20_000));
  const call = { params: { id: "artifact_1", number: "2" }, bytes };
  await expect(callServer({ server: server.url, credential: token }, putArtifactPartRoute, call)).rejects.toMatchObject(
    { code: "artifact.differs" },
  );
  const [{ method, path, headers, body } = { method: "", path: "", headers: {}, body: "" }] = server.received;
  expect({ method, path }).toEqual({ method: "PUT", path: "/api/artifacts/artifact_1/parts/2" });
  expect(headers).toMatchObject({
    "content-type": "application/octet-stream",
    "content-length": "200000",
    origin: server.url.origin,
  });
  expect(headers).not.toHaveProperty("transfer-encoding");
  expect(Buffer.from(body).equals(bytes)).toBe(true);
});

test.each<[string, (response: ServerResponse) => void, string]>([
  ["a page", (response) => response.writeHead(200, { "Content-Type": "text/html" }).end("<p>"), "text/html"],
  ["no JSON", (response) => response.writeHead(200, { "Content-Type": "application/json" }).end("{"), "answer"],
  ["another status", (response) => sendJson(response, 206, noItems), "it answered 206"],
  [
    "an error page",
    (response) => response.writeHead(502, { "Content-Type": "text/html" }).end("bad gateway"),
    "it answered 502",
  ],
  [
    "a problem without a code",
    (response) => sendJson(response, 404, { detail: "x" }, "application/problem+json"),
    "it answered 404",
  ],
])("something else than Gatehouse is told as that: %s", async (_, answer, found) => {
  const server = await startSmallServer(answer);
  await expect(callServer({ server: server.url }, usersRoute)).rejects.toMatchObject({
    code: "cli.answer_unexpected",
    detail: expect.stringContaining(found),
  });
});

test.each([301, 302, 303, 307, 308])(
  "a redirect (%i) is not followed: neither credential nor body goes elsewhere",
  async (status) => {
    const thief = await startSmallServer((response) => sendJson(response, 200, {}));
    const server = await startSmallServer((response) =>
      response.writeHead(status, { Location: `${thief.url.origin}/api/auth/login` }).end(),
    );
    const call = callServer({ server: server.url, credential: session }, loginRoute, { body: { password: "p" } });
    await expect(call).rejects.toMatchObject({
      code: "cli.answer_unexpected",
      detail: expect.stringContaining(`redirects to ${thief.url.origin}`),
    });
    expect(thief.received).toEqual([]);
  },
);

test("an answer that does not end is given up", async () => {
  const server = await startSmallServer((response) => {
    response.writeHead(200, { "Content-Type": "application/json" });
    const part = Buffer.alloc(1024 * 1024, " ");
    const pour = () => {
      while (!response.destroyed && response.write(part));
      if (!response.destroyed) response.once("drain", pour);
    };
    pour();
  });
  await expect(callServer({ server: server.url }, versionRoute)).rejects.toMatchObject({
    code: "cli.answer_unexpected",
    detail: expect.stringContaining("larger than"),
  });
});

test("a server that says nothing, or stops in the middle, is waited for only so long", async () => {
  const silent = await startSmallServer(() => undefined);
  const halting = await startSmallServer((response) => {
    response.writeHead(200, { "Content-Type": "application/json" }).write("{");
  });
  for (const { url } of [silent, halting]) {
    await expect(callServer({ server: url }, versionRoute, { limitMs: 200 })).rejects.toMatchObject({
      code: "cli.server_unreachable",
      detail: expect.stringContaining("did not answer within 0.2 s"),
    });
  }
});

test("nobody there, a connection that is cut and a program that speaks no HTTP are told as unreachable", async () => {
  const talker = createServer((socket) => socket.end("220 mail ready\r\n"));
  const cutter = createServer((socket) => socket.destroy());
  for (const server of [talker, cutter]) {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
  }
  const gone = createServer().listen(0, "127.0.0.1");
  await once(gone, "listening");
  const ports = [talker, cutter, gone].map((server) => (server.address() as AddressInfo).port);
  gone.close();
  await once(gone, "close");
  for (const port of ports) {
    const call = callServer({ server: new URL(`http://127.0.0.1:${port}`) }, versionRoute);
    await expect(call).rejects.toMatchObject({ code: "cli.server_unreachable" });
  }
});
