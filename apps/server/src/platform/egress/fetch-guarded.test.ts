import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { startDnsPeer, type Zone } from "../../../test/dns-peer.ts";
import { makeAuthority, startTlsPeer } from "../../../../../tests/support/tls-peer.ts";
import { connectTo, type EgressError, fetchGuarded, type GuardedRequest, openResolve } from "./index.ts";

const host = "api.example.test";
const authority = makeAuthority();
const certificate = authority.issue([host]);
const publicAddress = "8.8.4.4";

const limits = { requestBytes: 64, responseBytes: 1_024, connectMs: 100_000, totalMs: 100_000 };
const ok: Parameters<typeof startTlsPeer>[1] = (_, response) => void response.end("hello");

async function setUp({
  answer = ok,
  zone = () => ({ a: [publicAddress], aaaa: [] }),
  cert = certificate,
}: {
  answer?: Parameters<typeof startTlsPeer>[1];
  zone?: Zone;
  cert?: typeof certificate;
} = {}) {
  const peer = await startTlsPeer(cert, answer);
  const dns = await startDnsPeer(zone);
  onTestFinished(async () => {
    await peer[Symbol.asyncDispose]();
    await dns[Symbol.asyncDispose]();
  });
  const ask = (more: Partial<GuardedRequest> = {}) =>
    fetchGuarded({
      url: `https://${host}/`,
      method: "GET",
      hosts: [host],
      limits,
      resolve: openResolve({ servers: [dns.server] }),
      connect: peer.connect,
      ca: authority.ca,
      ...more,
    });
  return { peer, dns, ask };
}

const refusedFor = (reason: string) => expect.objectContaining({ name: "EgressError", reason }) as EgressError;

describe("a request", () => {
  test("goes to the address that was judged, as HTTPS for the host, and is answered", async () => {
    const { peer, dns, ask } = await setUp();
    const answer = await ask({ url: `https://${host}/v1?a=1`, headers: { accept: "text/plain", "x-a": "1" } });
    expect(answer.status).toBe(200);
    expect(Buffer.from(answer.body).toString()).toBe("hello");
    expect(peer.asked).toEqual([`${publicAddress}:443`]);
    expect(dns.questions.toSorted()).toEqual([`${host} a`, `${host} aaaa`]);
    expect(peer.seen).toMatchObject([{ method: "GET", url: "/v1?a=1", headers: { host, "x-a": "1" } }]);
    expect(peer.seen[0]?.headers).toEqual({
      accept: "text/plain",
      "accept-encoding": "identity",
      connection: "close",
      host,
      "user-agent": "Gatehouse",
      "x-a": "1",
    });
  });

  test("has a body when it is given one", async () => {
    const { peer, ask } = await setUp();
    await ask({ method: "POST", body: Buffer.from("grüße") });
    expect(peer.seen).toMatchObject([{ method: "POST", body: "grüße", headers: { "content-length": "7" } }]);
  });

  test("uses one connection each, also when the host would keep it open", async () => {
    const { peer, ask } = await setUp();
    await ask();
    await ask();
    expect(peer.connections()).toBe(2);
  });

  test.each([
    "host",
    "Host",
    "connection",
    "cookie",
    "x-forwarded-for",
    "proxy-authorization",
    "sec-fetch-site",
    "a b",
  ])("does not carry the header %s for anybody", async (name) => {
    const { peer, ask } = await setUp();
    await expect(ask({ headers: { [name]: "x" } })).rejects.toThrow(refusedFor("malformed"));
    expect(peer.connections()).toBe(0);
  });

  test("does not let a header value begin a line", async () => {
    const { ask } = await setUp();
    for (const value of ["a\r\nx: y", "a\0", "ü"]) {
      await expect(ask({ headers: { accept: value } })).rejects.toThrow(refusedFor("malformed"));
    }
    const many = Object.fromEntries(Array.from({ length: 33 }, (_, at) => [`x-${at}`, "1"]));
    await expect(ask({ headers: many })).rejects.toThrow(refusedFor("malformed"));
  });

  test("does not ask a proxy that the environment names", async () => {
    const { peer, ask } = await setUp();
    const before = { ...process.env };
    onTestFinished(() => {
      for (const name of ["HTTPS_PROXY", "https_proxy", "NODE_USE_ENV_PROXY"]) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
    });
    Object.assign(process.env, {
      HTTPS_PROXY: "http://127.0.0.1:1",
      https_proxy: "http://127.0.0.1:1",
      NODE_USE_ENV_PROXY: "1",
    });
    expect((await ask()).status).toBe(200);
    expect(peer.asked).toEqual([`${publicAddress}:443`]);
  });
});

describe("an answer", () => {
  test("that redirects is told and not followed", async () => {
    const { peer, ask } = await setUp({
      answer: (_, response) => void response.writeHead(302, { location: "http://169.254.169.254/" }).end(),
    });
    expect(await ask()).toMatchObject({ status: 302, headers: { location: "http://169.254.169.254/" } });
    expect(peer.connections()).toBe(1);
  });

  test("tells only the headers that are asked for, and no cookie", async () => {
    const { ask } = await setUp({
      answer: (_, response) =>
        void response.writeHead(200, { "set-cookie": "a=b", server: "x", "x-internal": "y", etag: '"1"' }).end(),
    });
    const { headers } = await ask();
    expect(Object.keys(headers).toSorted()).toEqual(["date", "etag"]);
  });

  test("is cut off when it is larger than is taken, announced or not", async () => {
    const announced = await setUp({ answer: (_, response) => void response.end("x".repeat(1_025)) });
    await expect(announced.ask()).rejects.toThrow(refusedFor("too_large"));
    const streamed = await setUp({
      answer: (_, response) => {
        const more = () => void (response.destroyed || response.write("x".repeat(500), () => setImmediate(more)));
        more();
      },
    });
    await expect(streamed.ask()).rejects.toThrow(refusedFor("too_large"));
    const exact = await setUp({ answer: (_, response) => void response.end("x".repeat(1_024)) });
    expect((await exact.ask()).body).toHaveLength(1_024);
  });

  test("with endless headers is no answer", async () => {
    const { ask } = await setUp({
      answer: (_, response) => void response.writeHead(200, { "x-long": "x".repeat(20_000) }).end(),
    });
    await expect(ask()).rejects.toThrow(refusedFor("unreachable"));
  });

  test("that breaks off, changes the protocol or is none is refused", async () => {
    const broken = await setUp({
      answer: (_, response) => {
        response.writeHead(200, { "content-length": "100" });
        response.write("x", () => response.destroy());
      },
    });
    await expect(broken.ask()).rejects.toThrow(refusedFor("unreachable"));
    const silent = await setUp({ answer: (_, response) => void response.destroy() });
    await expect(silent.ask()).rejects.toThrow(refusedFor("unreachable"));
    const switching = await setUp({
      answer: (_, response) =>
        void response.socket?.end("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
    });
    await expect(switching.ask()).rejects.toThrow(refusedFor("unreachable"));
    const babbling = await setUp({ answer: (_, response) => void response.socket?.end("SSH-2.0-x\r\n") });
    await expect(babbling.ask()).rejects.toThrow(refusedFor("unreachable"));
  });

  test("has to come in time, to the last byte", async () => {
    const dripping = await setUp({ answer: (_, response) => void response.write("x") });
    await expect(dripping.ask({ limits: { ...limits, totalMs: 300 } })).rejects.toThrow(refusedFor("timeout"));
  });
});

describe("what is too large or wrong costs no question to anybody", () => {
  test("a body over the limit", async () => {
    const { dns, ask } = await setUp();
    await expect(ask({ method: "POST", body: Buffer.alloc(65) })).rejects.toThrow(refusedFor("too_large"));
    expect(dns.questions).toEqual([]);
  });

  test("a host that is not declared", async () => {
    const { dns, ask } = await setUp();
    await expect(ask({ url: "https://other.example.test/" })).rejects.toThrow(refusedFor("host"));
    expect(dns.questions).toEqual([]);
  });
});

describe("an address", () => {
  test("that is not public is refused, and nothing connects", async () => {
    const { peer, ask } = await setUp({ zone: () => ({ a: ["127.0.0.1"], aaaa: [] }) });
    await expect(ask({ connect: connectTo })).rejects.toThrow(refusedFor("address"));
    expect(peer.connections()).toBe(0);
  });

  test("is told to the log and not to whoever asked", async () => {
    const { ask } = await setUp({ zone: () => ({ a: ["10.1.2.3"], aaaa: [] }) });
    const error = await ask().catch((thrown: unknown) => thrown as EgressError);
    expect(error).toMatchObject({ address: "10.1.2.3" });
    expect((error as EgressError).message).not.toContain("10.1.2.3");
  });

  test("of the second family is judged too", async () => {
    const { peer, ask } = await setUp({ zone: () => ({ a: [publicAddress], aaaa: ["64:ff9b::7f00:1"] }) });
    await expect(ask()).rejects.toThrow(refusedFor("address"));
    expect(peer.asked).toEqual([]);
  });

  test("that does not answer leaves its turn to the next one", async () => {
    const { peer, ask } = await setUp({ zone: () => ({ a: ["1.1.1.1", publicAddress], aaaa: [] }) });
    const connect: typeof peer.connect = (to) =>
      to.address === "1.1.1.1"
        ? Promise.reject(Object.assign(new Error("x"), { code: "ECONNREFUSED" }))
        : peer.connect(to);
    expect((await ask({ connect })).status).toBe(200);
    expect(peer.asked).toEqual([`${publicAddress}:443`]);
  });

  test("is needed: a name without one leads nowhere", async () => {
    const { ask } = await setUp({ zone: () => ({ a: [], aaaa: [] }) });
    await expect(ask()).rejects.toThrow(refusedFor("unreachable"));
    await expect(ask({ resolve: () => Promise.resolve([]) })).rejects.toThrow(refusedFor("unreachable"));
  });
});

describe("waiting ends", () => {
  test("when a name server is silent", async () => {
    const { ask } = await setUp({ zone: () => "silent" });
    await expect(ask({ limits: { ...limits, totalMs: 200 } })).rejects.toThrow(refusedFor("timeout"));
  });

  test("when a host takes the connection and says nothing", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { ask } = await setUp();
    const waiting = ask({
      limits: { ...limits, connectMs: 200 },
      connect: ({ signal }) => connectTo({ address: "127.0.0.1", port, signal }),
    });
    await expect(waiting).rejects.toThrow(refusedFor("timeout"));
  });

  test("when the caller gives up, at whatever moment", async () => {
    const arrived = Promise.withResolvers<void>();
    const { ask } = await setUp({ answer: () => arrived.resolve() });
    await expect(ask({ signal: AbortSignal.abort() })).rejects.toThrow(refusedFor("aborted"));
    const controller = new AbortController();
    const waiting = ask({ signal: controller.signal });
    void arrived.promise.then(() => controller.abort());
    await expect(waiting).rejects.toThrow(refusedFor("aborted"));
    const hanging = new AbortController();
    const asking = ask({ signal: hanging.signal, resolve: () => new Promise(() => undefined) });
    hanging.abort();
    await expect(asking).rejects.toThrow(refusedFor("aborted"));
  });
});

describe("a certificate", () => {
  test("of an authority that is not known is refused before a byte is sent", async () => {
    const { peer, ask } = await setUp({ cert: makeAuthority().issue([host]) });
    await expect(ask()).rejects.toThrow(refusedFor("unreachable"));
    expect(peer.seen).toEqual([]);
  });

  test("for another host is refused", async () => {
    const { peer, ask } = await setUp({ cert: authority.issue(["other.example.test", `*.${host}`]) });
    await expect(ask()).rejects.toThrow("ERR_TLS_CERT_ALTNAME_INVALID");
    expect(peer.seen).toEqual([]);
  });

  test("is checked also when the environment says that it need not be", async () => {
    const { peer, ask } = await setUp({ cert: makeAuthority().issue([host]) });
    const name = ["NODE", "TLS", "REJECT", "UNAUTHORIZED"].join("_");
    onTestFinished(() => void delete process.env[name]);
    process.env[name] = "0";
    await expect(ask()).rejects.toThrow("no valid certificate");
    expect(peer.seen).toEqual([]);
  });
});

test("the real connection goes to the address it is given", async () => {
  const { peer } = await setUp();
  const signal = AbortSignal.timeout(5_000);
  const socket = await connectTo({ address: "127.0.0.1", port: peer.port, signal });
  expect(socket.remoteAddress).toBe("127.0.0.1");
  socket.destroy();
  const closed = createServer().listen(0, "127.0.0.1");
  await once(closed, "listening");
  const { port } = closed.address() as AddressInfo;
  closed.close();
  await expect(connectTo({ address: "127.0.0.1", port, signal })).rejects.toThrow("ECONNREFUSED");
});
