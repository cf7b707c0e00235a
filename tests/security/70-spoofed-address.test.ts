import { manualClock } from "@gatehouse/base";
import { expect, test } from "vitest";
import { clientAddresses, startPlanted } from "./inside/planted-server.ts";
import { addressHeaderSets, type AddressHeaders } from "./support/address-headers.ts";
import { inLanes } from "./support/in-lanes.ts";
import { send } from "./support/raw-http.ts";
import type { TestServer } from "./support/server.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/** 1Panel, gin, chi, Fastify, N-central: one header, and the log, the limit and the allow-list saw another client. */
const trustedHop = "203.0.113.9";
const distrusting = await sharedServer();
const trusting = await sharedServer({
  env: { SERVICE_TRUST_PROXY: "1", SERVICE_TRUSTED_PROXIES: `${trustedHop},198.51.100.0/24` },
});
const sets = addressHeaderSets(trustedHop);

test("without SERVICE_TRUST_PROXY no header changes the address in the log", async (context) => {
  for (const peer of ["127.0.0.1", "127.0.0.7"]) {
    const wrong = await inLanes(sets, 8, async (set) => {
      const seen = await addressSeen(distrusting, peer, set);
      return seen === undefined || seen === peer ? [] : [`${peer} with ${JSON.stringify(set.headers)}: ${seen}`];
    });
    expect(wrong.flat()).toEqual([]);
  }
  tried(context, `${count(sets.length, "header sets")} from 2 peers without trust`);
});

test("with it, a trusted peer is believed exactly what its proxy can have written", async (context) => {
  for (const peer of ["127.0.0.1", "127.0.0.7"]) {
    const wrong = await inLanes(sets, 8, async (set) => {
      const seen = await addressSeen(trusting, peer, set);
      const expected = set.believed ?? peer;
      return seen === undefined || seen === expected
        ? []
        : [`${JSON.stringify(set.headers)}: ${seen}, expected ${expected}`];
    });
    expect(wrong.flat()).toEqual([]);
  }
  const believed = sets.filter((set) => set.believed !== undefined).length;
  expect(believed).toBeGreaterThan(20);
  tried(context, `the same from 2 trusted peers, ${believed} of them believed`);
});

test("with it, a public peer that nobody named is believed nothing", (context) => {
  const rules = { trustProxy: true, trustedProxies: [`${trustedHop}/32`, "198.51.100.0/24"] };
  const addresses = clientAddresses(rules);
  const strangers = [
    "192.0.2.1",
    "8.8.8.8",
    "2001:db8::1",
    "172.32.0.1",
    "11.0.0.1",
    "203.0.113.10",
    "fe80::1",
    "169.254.1.1",
    "100.64.0.1",
    "::ffff:192.0.2.1",
  ];
  for (const remote of strangers) {
    const peer = addresses.peer(remote);
    expect(peer.isProxy, remote).toBe(false);
    for (const set of sets)
      expect(addresses.client(peer, joined(set)), `${remote} ${JSON.stringify(set.headers)}`).toBe(peer.address);
  }
  for (const remote of [
    trustedHop,
    "198.51.100.77",
    `::ffff:${trustedHop}`,
    "10.1.2.3",
    "192.168.0.9",
    "172.16.5.5",
    "::1",
    "fc00::1",
  ]) {
    const peer = addresses.peer(remote);
    expect(peer.isProxy, remote).toBe(true);
    for (const set of sets) {
      const expected = set.believed ?? peer.address;
      expect(addresses.client(peer, joined(set)), `${remote} ${JSON.stringify(set.headers)}`).toBe(expected);
    }
  }
  expect(addresses.peer(undefined)).toEqual({ address: "unknown", isProxy: false });
  tried(context, `${count(strangers.length, "public peers")} believed nothing`);
});

test("a limit cannot be passed by with a new address in every request", async (context) => {
  // Its clock stands still, so that no token is added to a bucket, however long this takes.
  await using limited = await startPlanted({ routes: [], clock: manualClock(), env: { SERVICE_API_RATE: "1,5" } });
  const statuses = await inLanes(Array.from({ length: 60 }), 4, async (_, at) => {
    const headers = [
      ["X-Forwarded-For", `203.0.113.${at}`],
      ["X-Real-IP", `198.51.100.${at}`],
      ["Forwarded", `for=192.0.2.${at}`],
    ] as const;
    return (await send(limited.port, { path: "/api/version", headers })).status;
  });
  expect(statuses.filter((status) => status === 200)).toHaveLength(5);
  expect(statuses.filter((status) => status === 429)).toHaveLength(55);
  tried(context, "60 invented addresses share one limit");
});

/** What the access log says; undefined when the request was no HTTP at all and was refused by the parser. */
async function addressSeen(server: TestServer, peer: string, { headers }: AddressHeaders): Promise<string | undefined> {
  const { status, headers: answered } = await send(server.port, { path: "/api/version", headers, localAddress: peer });
  const requestId = answered.get("x-request-id");
  if (status === 400 || requestId === undefined) return undefined;
  return String((await server.lineAbout(requestId))["address"]);
}

/** As Node hands them over: names in lower case, repeated ones joined. */
function joined({ headers }: AddressHeaders): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    const text = value.trim();
    found[key] = key in found ? `${found[key]}, ${text}` : text;
  }
  return found;
}
