import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { newPerson } from "./gatehouse.ts";

const whoAmI = {
  user: { id: "usr_1", username: "ada", role: "owner" },
  credential: { kind: "session", id: "ses_1", expiresAt: "2099-01-01T00:00:00.000Z" },
  scopes: [],
  nodes: null,
  authenticatedAt: "2026-11-15T00:00:00.000Z",
  position: 7,
};

/** A server behind a certificate that only its own authority vouches for. */
async function startServer() {
  const directory = await mkdtemp(join(tmpdir(), "gatehouse-certificate-"));
  const [key, certificate] = [join(directory, "key.pem"), join(directory, "certificate.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "2"];
  const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  execFileSync("openssl", ["req", ...kind, ...subject, "-keyout", key, "-out", certificate], { stdio: "pipe" });
  let requests = 0;
  const server = createServer({ key: await readFile(key), cert: await readFile(certificate) }, (request, response) => {
    requests += 1;
    request.resume();
    response.writeHead(200, {
      "Content-Type": "application/json",
      "Set-Cookie": "__Host-gatehouse=abc123; Path=/; HttpOnly; Secure; SameSite=Strict",
    });
    response.end(JSON.stringify(whoAmI));
  });
  server.listen(0, "localhost");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await rm(directory, { recursive: true });
  });
  const url = `https://localhost:${(server.address() as AddressInfo).port}`;
  return { url, certificate, requests: () => requests };
}

const login = "login --username ada --password-stdin";
const input = "the password of ada\n";

test("a certificate that nobody vouches for is refused before a password is sent", async () => {
  const server = await startServer();
  const ada = await newPerson(server.url);
  const { code, err } = await ada.start(login, { input });
  expect(code).toBe(1);
  expect(err).toContain("cli.server_unreachable");
  expect(err).toMatch(/self[- ]signed/);
  const careless = await ada.start(login, { input, env: { NODE_TLS_REJECT_UNAUTHORIZED: "0" } });
  expect(careless).toMatchObject({ code: 2, err: expect.stringContaining("turns certificate checks off") });
  expect(server.requests()).toBe(0);
});

test("an authority of one's own is named in NODE_EXTRA_CA_CERTS; secure cookies are kept as they are", async () => {
  const server = await startServer();
  const ada = await newPerson(server.url);
  const env = { NODE_EXTRA_CA_CERTS: server.certificate };
  expect(await ada.start(login, { input, env })).toMatchObject({ code: 0, err: "" });
  expect(JSON.parse(await readFile(ada.sessionFile, "utf8"))).toMatchObject({
    server: server.url,
    cookie: { name: "__Host-gatehouse", value: "abc123" },
  });
  expect((await ada.start("whoami", { env })).code).toBe(0);
  expect((await ada.start("whoami")).code).toBe(1);
  expect(server.requests()).toBe(2);
});
