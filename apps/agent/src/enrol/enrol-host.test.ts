import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { importPrivateKey, publicKeyBytes } from "@gatehouse/keys";
import { isFault } from "@gatehouse/contract/faults";
import { expect, test } from "vitest";
import { type Dishonesty, serverKey, startEnrolServer } from "../../test/fake-enrol-server.ts";
import { startHelper } from "../../test/helper-process.ts";
import { type HostDirectory, makeHostDirectory } from "../../test/host-directory.ts";
import { hasEnrolMarker } from "../local/enrol-marker.ts";
import { findHostIdentity, makeHostIdentity } from "../local/host-key.ts";
import { nextPlace } from "../local/next-place.ts";
import { findPinnedServer, putPinnedServer } from "../local/server-file.ts";
import { openEnrolHost } from "./enrol-host.ts";
import { exchangeEnrolment } from "./exchange-enrolment.ts";
import { postEnrolment } from "./post-enrolment.ts";

const otherKey = importPrivateKey(new Uint8Array(32).fill(9));

/** A host with its helper on a socket, and `enrol` as root would call it; in place of systemd the other part runs here. */
async function startHost(how: Dishonesty = {}) {
  const host = makeHostDirectory();
  const helper = await startHelper(host);
  const server = await startEnrolServer(how);
  const pauses: number[] = [];
  const handed: string[][] = [];
  const enrolHost = openEnrolHost({
    clock: helper.clock,
    runAsAgent: async (binary, args, input) => {
      handed.push([binary, ...args]);
      const deps = {
        paths: host.paths,
        owner: host.owner,
        user: host.owner,
        clock: helper.clock,
        ask: helper.ask,
        post: postEnrolment,
        pause: async () => void pauses.push(1),
        agentVersion: "0.1.7",
        hostname: "web-1",
      };
      try {
        return JSON.stringify({ ok: true, ...(await exchangeEnrolment(deps, input)) });
      } catch (error) {
        if (!isFault(error)) throw error;
        return JSON.stringify({ ok: false, error: { code: error.code, detail: error.detail, todo: error.todo } });
      }
    },
  });
  const enrol = (
    code = server.code({ notAfter: helper.clock.now() }),
    newIdentity = false,
    more: { ca?: string } = {},
  ) =>
    enrolHost({
      ...more,
      paths: host.paths,
      run: async () => ({ code: 0, stdout: "", stderr: "" }),
      code,
      newIdentity,
      version: "0.1.7",
      architecture: "x64",
    });
  return { host, server, enrol, pauses, handed, ...helper };
}

/** Every file of the host with its bytes. */
function everything({ root }: HostDirectory): Record<string, string> {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((each) =>
    statSync(`${root}/${each}`).isFile(),
  );
  return Object.fromEntries(files.sort().map((each) => [each, readFileSync(`${root}/${each}`, "utf8")]));
}

test("a host is enrolled: both keys are proven, the server is pinned, and nothing of the enrolment stays open", async () => {
  const { host, server, enrol, clock, handed } = await startHost();
  const code = server.code({ notAfter: clock.now() });
  const found = await enrol(code);
  expect(found.nodeId).toBe(findHostIdentity(host)?.nodeId);
  expect(found.words).toHaveLength(4);
  expect(findPinnedServer(host)).toEqual({
    url: server.url,
    key: publicKeyBytes(serverKey),
    nodeId: found.nodeId,
  });
  expect(statSync(host.paths.server).mode & 0o777).toBe(0o644);
  expect(statSync(host.paths.channelKey).mode & 0o777).toBe(0o600);
  expect(server.requests).toHaveLength(1);
  expect(hasEnrolMarker(host, clock.now())).toBe(false);
  expect(Object.keys(everything(host)).filter((each) => /next|enrolling/.test(each))).toEqual([]);
  expect(handed.flat().join(" ")).not.toContain(code);
});

test("a second enrolment keeps the host and changes its channel key; --new-identity makes another node", async () => {
  const { server, enrol, host } = await startHost();
  const first = await enrol();
  const key = readFileSync(host.paths.channelKey, "utf8");
  const second = await enrol();
  expect(second.nodeId).toBe(first.nodeId);
  expect(readFileSync(host.paths.channelKey, "utf8")).not.toBe(key);
  const third = await enrol(undefined, true);
  expect(third.nodeId).not.toBe(first.nodeId);
  expect(new Set(server.requests.map(({ channelKey }) => Buffer.from(channelKey).toString("hex"))).size).toBe(3);
});

test("a copied disk is no host until it is made a node of its own", async () => {
  const { host, enrol, server } = await startHost();
  const first = await enrol();
  host.setMachine("b");
  await expect(enrol()).rejects.toThrow(/^identity\.cloned/);
  expect(server.requests).toHaveLength(1);
  expect((await enrol(undefined, true)).nodeId).not.toBe(first.nodeId);
});

const dishonest: [string, Dishonesty, string][] = [
  ["answers with a key of its own", { signWith: otherKey }, "enrol.server_signature"],
  [
    "plays an answer to another request",
    { answer: (honest) => ({ ...honest, request: new Uint8Array(32) }) },
    "enrol.server_signature",
  ],
  [
    "calls the host by another's name",
    { answer: (honest) => ({ ...honest, nodeId: "node_zjq786fqc9hjs4qb1wefsk24q0" }) },
    "enrol.node_id",
  ],
  ...(["ceiling", "approvers", "trust"] as const).map((field): [string, Dishonesty, string] => [
    `adds ${field} to its answer`,
    { answer: (honest) => ({ ...honest, body: { ...honest.body, [field]: {} } }) },
    "enrol.malformed",
  ]),
  ["answers with rubbish", { respond: (response) => !!response.writeHead(200).end("rubbish") }, "enrol.malformed"],
  [
    "answers without end",
    { respond: (response) => !!response.writeHead(200).end(" ".repeat(64 * 1024)) },
    "enrol.malformed",
  ],
  [
    "sends the host elsewhere",
    { respond: (response) => !!response.writeHead(307, { location: "http://127.0.0.1:9/" }).end() },
    "enrol.unreachable",
  ],
  [
    "refuses by name",
    {
      respond: (response) =>
        !!response.writeHead(409).end(JSON.stringify({ code: "enrol.code_used", detail: "it was used" })),
    },
    "enrol.code_used",
  ],
  [
    "refuses with a code that is not of an enrolment",
    {
      respond: (response) =>
        !!response.writeHead(500).end(JSON.stringify({ code: "server.internal", detail: "\u001b[31m" })),
    },
    "enrol.unreachable",
  ],
];

test.each(dishonest)("a server that %s leaves the host as it was", async (_, how, code) => {
  const { host, enrol, server, clock } = await startHost(how);
  const untouched = everything(host);
  await expect(enrol()).rejects.toThrow(new RegExp(`^${code.replace(".", "\\.")}:`));
  expect(everything(host)).toEqual(untouched);
  expect(server.requests.length).toBeGreaterThan(0);
  // And a host that was enrolled before stays so, with its keys.
  await putPinnedServer(host, { url: "https://former.example", key: publicKeyBytes(otherKey) });
  writeFileSync(host.paths.channelKey, "the former key");
  const former = everything(host);
  await expect(enrol(server.code({ notAfter: clock.now() }), true)).rejects.toThrow(code);
  expect(everything(host)).toEqual(former);
  expect(statSync(host.paths.server).mode & 0o777).toBe(0o644);
});

test("codes that cannot be used are refused before any packet and before anything is written", async () => {
  const { host, enrol, server, clock } = await startHost();
  const notAfter = clock.now();
  const untouched = everything(host);
  const good = server.code({ notAfter });
  const weak = new Uint8Array(32).fill(1, 0, 1);
  for (const [code, why] of [
    [`${good.slice(0, -1)}${good.endsWith("A") ? "B" : "A"}`, "enrol.code_malformed"],
    [server.code({ notAfter, url: "http://gh.example" }), "enrol.url"],
    [server.code({ notAfter, server: weak }), "key.weak"],
    [server.code({ notAfter: notAfter - 1 }), "enrol.code_expired"],
  ] as const) {
    await expect(enrol(code), why).rejects.toThrow(new RegExp(`^${why.replace(".", "\\.")}:`));
  }
  expect(server.requests).toEqual([]);
  expect(everything(host)).toEqual(untouched);
});

test("an answer that got lost is asked for again, with the same keys", async () => {
  const { enrol, server, pauses } = await startHost({
    respond: (response, attempt) => attempt < 3 && !!response.destroy(),
  });
  await enrol();
  expect(pauses).toHaveLength(2);
  const [first] = server.requests;
  for (const each of server.requests) expect(each).toEqual(first);
});

test("what a crash has left of an enrolment is nobody's: the next one neither uses nor keeps it", async () => {
  const { host, enrol, server } = await startHost();
  const { nodeId } = await enrol();
  await makeHostIdentity(nextPlace(host));
  await putPinnedServer(nextPlace(host), { url: "https://former.example", key: publicKeyBytes(otherKey) });
  expect((await enrol()).nodeId).toBe(nodeId);
  expect(findPinnedServer(host)).toMatchObject({ url: server.url, nodeId });
  expect(Object.keys(everything(host)).filter((each) => /next|enrolling/.test(each))).toEqual([]);
});

test("how root has said the server is reached stays with the same server, and with no other", async () => {
  const { host, enrol, server } = await startHost();
  const known = { key: publicKeyBytes(otherKey), ca: "PEM" };
  await putPinnedServer(host, { ...known, url: server.url });
  await enrol();
  expect(findPinnedServer(host)?.ca).toBe("PEM");
  await putPinnedServer(host, { ...known, url: "https://former.example" });
  await enrol();
  expect(findPinnedServer(host)?.ca).toBeUndefined();
  await enrol(undefined, false, { ca: "another PEM" });
  expect(findPinnedServer(host)?.ca).toBe("another PEM");
});
