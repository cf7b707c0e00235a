import { describe, expect, onTestFinished, test } from "vitest";
import { startDnsPeer, type Zone } from "../../../test/dns-peer.ts";
import { makeAuthority, startTlsPeer } from "../../../../../tests/support/tls-peer.ts";
import { connectTo, type EgressError, fetchNamed, type NamedRequest, openResolve } from "./index.ts";

const host = "geo.example.test";
const authority = makeAuthority();
const certificate = authority.issue([host, "127.0.0.1", "::1"]);
const limits = { requestBytes: 0, responseBytes: 1_024, connectMs: 100_000, totalMs: 100_000 };

async function setUp({ zone = () => ({ a: ["10.0.0.5"], aaaa: [] }), cert = certificate }: Partial<Setting> = {}) {
  const peer = await startTlsPeer(cert, (_, response) => void response.end("hello"));
  const dns = await startDnsPeer(zone);
  onTestFinished(async () => {
    await peer[Symbol.asyncDispose]();
    await dns[Symbol.asyncDispose]();
  });
  const ask = (more: Partial<NamedRequest> = {}) =>
    fetchNamed({
      url: `https://${host}/`,
      origin: `https://${host}`,
      method: "GET",
      limits,
      resolve: openResolve({ servers: [dns.server] }),
      connect: peer.connect,
      ca: [authority.ca],
      ...more,
    });
  return { peer, dns, ask };
}

interface Setting {
  readonly zone: Zone;
  readonly cert: ReturnType<typeof authority.issue>;
}

const refusedFor = (reason: string) => expect.objectContaining({ name: "EgressError", reason }) as EgressError;

describe("a host that an operator has named", () => {
  test("may stand inside and listen anywhere, because the operator says so", async () => {
    const { peer, ask } = await setUp();
    expect((await ask()).status).toBe(200);
    const elsewhere = await ask({ url: `https://${host}:8443/a/b?c=%3A`, origin: `https://${host}:8443` });
    expect(elsewhere.status).toBe(200);
    expect(peer.asked).toEqual(["10.0.0.5:443", "10.0.0.5:8443"]);
    expect(peer.seen[1]).toMatchObject({ url: "/a/b?c=%3A", headers: { host: `${host}:8443` } });
  });

  test("may be an address, when the certificate is for it; no name server is asked", async () => {
    const { peer, dns, ask } = await setUp();
    const real = { url: `https://127.0.0.1:${peer.port}/x`, origin: `https://127.0.0.1:${peer.port}` };
    expect((await ask({ ...real, connect: connectTo })).status).toBe(200);
    expect((await ask({ url: "https://[::1]:8443/x", origin: "https://[::1]:8443" })).status).toBe(200);
    expect(peer.asked).toEqual(["::1:8443"]);
    expect(dns.questions).toEqual([]);
    await expect(ask({ url: "https://127.0.0.2/x", origin: "https://127.0.0.2" })).rejects.toThrow(
      "ERR_TLS_CERT_ALTNAME_INVALID",
    );
  });

  test("is known by its certificate alone: one of an unknown authority, or for another name, is refused before a byte is sent", async () => {
    const unknown = await setUp({ cert: makeAuthority().issue([host]) });
    await expect(unknown.ask()).rejects.toThrow(refusedFor("unreachable"));
    const other = await setUp({ cert: authority.issue(["other.example.test"]) });
    await expect(other.ask()).rejects.toThrow("ERR_TLS_CERT_ALTNAME_INVALID");
    expect([unknown.peer.seen, other.peer.seen]).toEqual([[], []]);
  });

  test("is the only one: what is filled into the address leads nowhere else", async () => {
    const { peer, dns, ask } = await setUp();
    const strays = [
      ["http://geo.example.test/", "malformed"],
      ["https://geo.example.test:444/", "host"],
      ["https://geo.example.test.evil.test/", "host"],
      ["https://evil.test/@geo.example.test", "host"],
      ["https://user@geo.example.test/", "malformed"],
      ["https://geo.example.test@evil.test/", "malformed"],
      ["https://geo.example.test/#x", "malformed"],
      [`https://geo.example.test/${"x".repeat(2_048)}`, "malformed"],
      ["no address", "malformed"],
    ] as const;
    for (const [url, reason] of strays) await expect(ask({ url }), url).rejects.toThrow(refusedFor(reason));
    expect(dns.questions).toEqual([]);
    expect(peer.connections()).toBe(0);
  });

  test("is found again for each request", async () => {
    const { peer, ask } = await setUp({ zone: (_, nth) => ({ a: [`10.0.0.${nth}`], aaaa: [] }) });
    await ask();
    await ask();
    expect(peer.asked).toEqual(["10.0.0.1:443", "10.0.0.2:443"]);
    const none = await setUp({ zone: () => ({ a: [], aaaa: [] }) });
    await expect(none.ask()).rejects.toThrow(refusedFor("unreachable"));
  });
});
