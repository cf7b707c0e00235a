import { readFileSync, utimesSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { systemClock } from "@gatehouse/base";
import { channelLimits } from "@gatehouse/channel";
import { newPrivateKey, publicKeyBytes } from "@gatehouse/keys";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { compileAgent } from "../../../tools/build/compile-agent.ts";
import { beginEnrolment } from "../src/enrol/begin-enrolment.ts";
import { getChannelKey, keepNextChannelKey } from "../src/local/channel-key.ts";
import { makeHostIdentity } from "../src/local/host-key.ts";
import { putPinnedServer } from "../src/local/server-file.ts";
import { type Certificate, makeCertificate } from "./certificate.ts";
import { startCompiledHelper, startPart } from "./compiled-parts.ts";
import { greet, honestChallenge, type Peer, serverKey, startControlServer } from "./fake-control-server.ts";
import { startEnrolServer } from "./fake-enrol-server.ts";
import { type HostDirectory, makeHostDirectory } from "./host-directory.ts";

/** The one file that hosts run, as its two parts: over a socket that was handed over, and over TLS. */
const root = resolve(import.meta.dirname, "../../..");
const architecture = process.arch === "arm64" ? "arm64" : "x64";
let directory: string;
let program: string;
let certificate: Certificate;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "gatehouse-speaks-"));
  compileAgent({ root, architecture, out: directory, compress: false });
  program = join(directory, "gatehouse-agent");
  certificate = makeCertificate("localhost");
});

afterAll(() => rm(directory, { recursive: true, force: true }));

async function makeEnrolled(url: string, ca?: string): Promise<HostDirectory> {
  const host = makeHostDirectory();
  await makeHostIdentity(host);
  await putPinnedServer(host, { url, key: publicKeyBytes(serverKey), ...(ca === undefined ? {} : { ca }) });
  await (await keepNextChannelKey({ paths: host.paths, user: host.owner }, newPrivateKey())).take();
  return host;
}

test("a code on standard input is spent with what the helper signs, and the channel key stays", async () => {
  const server = await startEnrolServer();
  const host = makeHostDirectory();
  await startCompiledHelper(program, host);
  const code = server.code({ notAfter: Date.now() + 600_000 });
  const deps = { paths: host.paths, owner: host.owner, clock: systemClock };
  const begun = await beginEnrolment(deps, { code, newIdentity: false });
  const part = startPart(program, host, "enrol-exchange", { input: `${code}\n` });
  expect(await part.ended).toBe(0);
  expect(JSON.parse(part.said())).toEqual({ ok: true, nodeId: begun.nodeId });
  expect(server.requests).toHaveLength(1);
  expect(readFileSync(host.paths.channelKey, "utf8")).toContain("seed");
  const again = startPart(program, host, "enrol-exchange", { input: "ghe1_rubbish\n" });
  expect(await again.ended).toBe(1);
  expect(JSON.parse(again.said())).toMatchObject({ ok: false, error: { code: "enrol.code_malformed" } });
});

test("it connects over TLS with an authority of one's own, tells its facts, beats, and says goodbye", async () => {
  const server = await startControlServer((peer) => greet(peer, { welcome: { beatSeconds: 1 } }), {
    tls: certificate,
  });
  const host = await makeEnrolled(server.url, certificate.cert);
  const helper = await startCompiledHelper(program, host);
  const agent = startPart(program, host, "run");
  await expect.poll(() => server.peers[0]?.received.length ?? 0).toBeGreaterThanOrEqual(3);
  const { headers, received, closed } = server.peers[0] as Peer;
  for (const absent of ["origin", "cookie", "sec-websocket-extensions"]) expect(headers).not.toHaveProperty(absent);
  const types = () =>
    received.flatMap((each) => (typeof each === "string" ? [(JSON.parse(each) as { t: string }).t] : []));
  await expect.poll(types).toEqual(expect.arrayContaining(["out", "facts", "beat"]));
  agent.process.kill("SIGTERM");
  expect(await agent.ended).toBe(0);
  await closed;
  expect(types().at(-1)).toBe("bye");
  expect(JSON.parse(readFileSync(host.paths.status, "utf8"))).toMatchObject({ state: "stopped" });
  helper.process.kill("SIGTERM");
  expect(await helper.ended).toBe(0);
});

test("it changes a channel key that is thirty days old, and keeps the one that the server has welcomed", async () => {
  const hellos: Uint8Array[] = [];
  const server = await startControlServer(
    async (peer) => {
      peer.socket.on("message", (data: Buffer) => {
        const seq = /^\{"t":"beat","seq":(\d+),/.exec(data.toString("latin1"))?.[1];
        if (seq !== undefined) peer.socket.send(`{"t":"beat-ack","seq":${seq}}`);
      });
      hellos.push((await greet(peer, { welcome: { beatSeconds: 1 } })).channelKey);
    },
    { tls: certificate },
  );
  const host = await makeEnrolled(server.url, certificate.cert);
  const madeAt = Date.now() / 1_000 - channelLimits.channelKeyDays * 24 * 60 * 60;
  utimesSync(host.paths.channelKey, madeAt, madeAt);
  await startCompiledHelper(program, host);
  const agent = startPart(program, host, "run");
  await expect.poll(() => agent.said()).toContain("the one before is gone");
  expect(hellos).toHaveLength(2);
  expect(hellos[1]).not.toEqual(hellos[0]);
  expect(publicKeyBytes(getChannelKey({ paths: host.paths, user: host.owner }))).toEqual(hellos[1]);
});

test.each([
  ["that nobody has signed", "localhost", false],
  ["of another name", "elsewhere.example", true],
])("a certificate %s is refused, and nothing is sent", async (_, name, isBelieved) => {
  const tls = name === "localhost" ? certificate : makeCertificate(name);
  const server = await startControlServer((peer) => peer, { tls });
  const host = await makeEnrolled(server.url, isBelieved ? tls.cert : undefined);
  await startCompiledHelper(program, host);
  const agent = startPart(program, host, "run");
  await expect.poll(() => agent.said()).toMatch(/^not connected: hello\.tls: /);
  expect(server.peers).toEqual([]);
});

test("a redirect is not followed", async () => {
  const moved = "HTTP/1.1 307 Moved\r\nlocation: https://localhost:9/\r\ncontent-length: 0\r\n\r\n";
  const http = createServer(certificate, (__, response) => {
    response.writeHead(307, { location: "https://localhost:9/" }).end();
  });
  http.on("upgrade", (__, socket) => socket.end(moved));
  await new Promise<void>((done) => http.listen(0, "localhost", done));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const host = await makeEnrolled(`https://localhost:${(http.address() as AddressInfo).port}`, certificate.cert);
  await startCompiledHelper(program, host);
  const agent = startPart(program, host, "run");
  await expect.poll(() => agent.said()).toMatch(/^not connected: hello\.redirect: /);
});

test("another server under the right name gets no byte of a hello", async () => {
  const server = await startControlServer(
    (peer) => greet(peer, { challenge: { ...honestChallenge, server: publicKeyBytes(newPrivateKey()) } }),
    { tls: certificate },
  );
  const host = await makeEnrolled(server.url, certificate.cert);
  await startCompiledHelper(program, host);
  const agent = startPart(program, host, "run");
  await expect.poll(() => agent.said()).toMatch(/^not connected: hello\.server_key: /);
  expect(server.peers[0]?.received).toEqual([]);
});
