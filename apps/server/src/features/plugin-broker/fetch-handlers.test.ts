import { brokerLimits } from "@gatehouse/contract/broker";
import { expect, onTestFinished, test } from "vitest";
import { makeAuthority, startTlsPeer } from "../../../../../tests/support/tls-peer.ts";
import { askOf, setUpBroker } from "./broker-cases.ts";

const host = "api.example.test";
const authority = makeAuthority();
const certificate = authority.issue([host]);

async function setUp(answer: Parameters<typeof startTlsPeer>[1], addresses: readonly string[] = ["8.8.4.4"]) {
  const peer = await startTlsPeer(certificate, answer);
  onTestFinished(() => peer[Symbol.asyncDispose]());
  const network = { connect: peer.connect, ca: authority.ca, resolve: () => Promise.resolve(addresses) };
  return { peer, ...setUpBroker({ network }) };
}

test("a request goes to the declared host with its method, headers and body, and its answer comes back", async () => {
  const { peer, act } = await setUp(
    (_, response) => void response.writeHead(201, { "content-type": "text/plain", "set-cookie": "a=b" }).end("grüße"),
  );
  const result = await act().ask("http.fetch", {
    url: `https://${host}/v1?a=1`,
    method: "POST",
    headers: { authorization: "Bearer x" },
    body: "aGVsbG8=",
    bodyEncoding: "base64",
  });
  expect(result).toMatchObject({
    status: 201,
    body: "grüße",
    bodyEncoding: "utf8",
    headers: { "content-type": "text/plain" },
  });
  expect(JSON.stringify(result)).not.toContain("a=b");
  expect(peer.seen).toMatchObject([
    { method: "POST", url: "/v1?a=1", body: "hello", headers: { authorization: "Bearer x" } },
  ]);
});

test("bytes that are no text come back as base64", async () => {
  const { act } = await setUp((_, response) => void response.end(Buffer.from([0xff, 0x00])));
  expect(await act().ask("http.fetch", { url: `https://${host}/` })).toMatchObject({
    body: "/wA=",
    bodyEncoding: "base64",
  });
});

test("each way in which a request can fail has its code", async () => {
  const large = await setUp((_, response) => void response.end("x".repeat(brokerLimits.responseBodyBytes + 1)));
  expect(await large.act().ask("http.fetch", { url: `https://${host}/` })).toBe("broker.too_large");
  expect(await large.act().ask("http.fetch", { url: "https://other.example.test/" })).toBe("broker.host_not_declared");
  expect(await large.act({ egressHosts: [] }).ask("http.fetch", { url: `https://${host}/` })).toBe(
    "broker.host_not_declared",
  );
  const broken = await setUp((_, response) => void response.destroy());
  expect(await broken.act().ask("http.fetch", { url: `https://${host}/` })).toBe("broker.unreachable");
});

test("an address of our own network is told to the operator and not to the plugin", async () => {
  const { peer, act, lines } = await setUp((_, response) => void response.end(), ["10.20.30.40"]);
  const { action } = act();
  const line = await action.answer({ id: 1, method: "http.fetch", params: { url: `https://${host}/` } });
  expect(line).toContain("broker.address_refused");
  expect(line).not.toContain("10.20.30.40");
  expect(lines.join("")).toContain('"address":"10.20.30.40"');
  expect(peer.connections()).toBe(0);
});

test("a plugin that is detached gives up its requests", async () => {
  const arrived = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const { act } = await setUp((request) => {
    request.socket.once("close", () => closed.resolve());
    arrived.resolve();
  });
  const { handle, ask } = act();
  const waiting = ask("http.fetch", { url: `https://${host}/` });
  await arrived.promise;
  handle.detach();
  expect(await waiting).toBe("broker.detached");
  await closed.promise;
});

test("more requests than may be under way together wait for their turn", async () => {
  const open: (() => void)[] = [];
  const full = Promise.withResolvers<void>();
  const { peer, act } = await setUp((_, response) => {
    open.push(() => void response.end("x"));
    if (open.length === brokerLimits.fetchesAtOnce) full.resolve();
    if (open.length > brokerLimits.fetchesAtOnce) response.end("x");
  });
  const { handle, ask } = act();
  const all = Array.from({ length: 2 * brokerLimits.fetchesAtOnce }, () =>
    ask("http.fetch", { url: `https://${host}/` }),
  );
  await full.promise;
  expect(peer.connections()).toBe(brokerLimits.fetchesAtOnce);
  for (const finish of open) finish();
  expect(await Promise.all(all)).toHaveLength(2 * brokerLimits.fetchesAtOnce);
  expect(peer.seen).toHaveLength(2 * brokerLimits.fetchesAtOnce);
  expect(await askOf(handle.beginAction("describe"), "http.fetch", { url: `https://${host}/` })).toMatchObject({
    status: 200,
  });
});
