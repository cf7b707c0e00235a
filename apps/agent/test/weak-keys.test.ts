import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { challengeFrame, encodeBase64url, writeEnrolCode } from "@gatehouse/channel";
import { isFault } from "@gatehouse/contract/faults";
import { newPrivateKey, publicKeyBytes } from "@gatehouse/keys";
import { afterAll, beforeAll, expect, test } from "vitest";
import { weakKeys } from "../../../tests/support/weak-keys.ts";
import { compileAgent } from "../../../tools/build/compile-agent.ts";
import { systemTimers } from "../src/host/timers.ts";
import { type HelperVerbName, openAskHelper } from "../src/local/ask-helper.ts";
import { keepNextChannelKey } from "../src/local/channel-key.ts";
import { setEnrolMarker } from "../src/local/enrol-marker.ts";
import { makeHostIdentity } from "../src/local/host-key.ts";
import { nextPlace } from "../src/local/next-place.ts";
import { putPinnedServer } from "../src/local/server-file.ts";
import { startCompiledHelper, startPart } from "./compiled-parts.ts";
import { honestChallenge, startControlServer } from "./fake-control-server.ts";
import { sha256 } from "./fake-enrol-server.ts";
import { type HostDirectory, makeHostDirectory } from "./host-directory.ts";

/**
 * The runtime of the compiled agent verifies forgeries under each of these keys (security class 59), so that every place where the one
 * file takes a key has to refuse all of them, by name and before it is used.
 */
const root = resolve(import.meta.dirname, "../../..");
const architecture = process.arch === "arm64" ? "arm64" : "x64";
const nowhere = "http://127.0.0.1:9";
let directory: string;
let program: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "gatehouse-weak-"));
  compileAgent({ root, architecture, out: directory, compress: false });
  program = join(directory, "gatehouse-agent");
});

afterAll(() => rm(directory, { recursive: true, force: true }));

const good = publicKeyBytes(newPrivateKey());
const codeOf = (server: Uint8Array) =>
  writeEnrolCode(sha256, { url: nowhere, server, secret: new Uint8Array(16), notAfter: Date.now() + 600_000 });

/** Gives one key to a place of the agent; what the agent calls its refusal. */
type Place = (key: Uint8Array) => Promise<string>;

const places: readonly (readonly [string, string, Place])[] = [
  [
    "the code that root gives to enrol",
    "key.weak",
    (key) => sayOf(makeHostDirectory(), "enrol", { args: [codeOf(key)] }),
  ],
  [
    "the code that the network part reads",
    "key.weak",
    (key) => sayOf(makeHostDirectory(), "enrol-exchange", { input: `${codeOf(key)}\n` }),
  ],
  [
    "server.json, when the network part starts",
    "key.weak",
    async (key) => sayOf(await makeEnrolled({ url: nowhere, key }), "run"),
  ],
  [
    "server.json, when a code is spent",
    "key.weak",
    async (key) => sayOf(await makeEnrolling(key), "enrol-exchange", { input: `${codeOf(good)}\n` }),
  ],
  ["server.json, when it is changed before a welcome", "key.weak", changedWhileConnecting],
  ["a challenge", "hello.server_key", challenged],
  ["the channel key of channel.sign", "key.weak", (key) => askedFor("channel.sign", { channelKey: text(key) })],
  [
    "the channel key of enrol.sign",
    "key.weak",
    (key) => askedFor("enrol.sign", { ...enrolment, server: text(good), channelKey: text(key) }),
  ],
  [
    "the server's key of enrol.sign",
    "enrol.server_key",
    (key) => askedFor("enrol.sign", { ...enrolment, server: text(key), channelKey: text(good) }),
  ],
  [
    "server.json, when the helper signs an enrolment",
    "key.weak",
    (key) => askedFor("enrol.sign", { ...enrolment, server: text(key), channelKey: text(good) }, key),
  ],
  ["a public half in the file of the host key", "agent.file_unusable", besideTheSeed],
];

test.each(places)("%s is refused: %s", async (_, code, place) => {
  const found = await Promise.all(weakKeys.map(async (key) => [key, await place(Buffer.from(key, "hex"))]));
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(weakKeys.map((key) => [key, code])));
});

const text = encodeBase64url;
const enrolment = {
  codeId: text(new Uint8Array(16)),
  nonce: text(new Uint8Array(32)),
  body: { agentVersion: "0.1.7", hostname: "web-1" },
};

async function makeEnrolled(server: { url: string; key: Uint8Array }): Promise<HostDirectory> {
  const host = makeHostDirectory();
  await makeHostIdentity(host);
  await putPinnedServer(host, server);
  await (await keepNextChannelKey({ paths: host.paths, user: host.owner }, newPrivateKey())).take();
  return host;
}

/** Root is enrolling this host with a server that has this key; nothing of the enrolment before is replaced yet. */
async function makeEnrolling(key: Uint8Array): Promise<HostDirectory> {
  const host = await makeEnrolled({ url: nowhere, key: good });
  await putPinnedServer(nextPlace(host), { url: nowhere, key });
  await setEnrolMarker(host, Date.now());
  return host;
}

async function sayOf(host: HostDirectory, verb: string, more: Parameters<typeof startPart>[3] = {}): Promise<string> {
  const part = startPart(program, host, verb, more);
  expect(await part.ended).toBe(1);
  return codeIn(part.said());
}

/** The first word of the form that a fault's code has. */
function codeIn(said: string): string {
  return /\b(key|enrol|hello|agent|host)\.[a-z_]+\b/.exec(said)?.[0] ?? said;
}

/** The agent has a connection under way with the key that it was started with, and root's file then has another one. */
async function changedWhileConnecting(key: Uint8Array): Promise<string> {
  const server = await startControlServer(async ({ socket }) => {
    await putPinnedServer(host, { url: server.url, key });
    socket.close();
  });
  const host = await makeEnrolled({ url: server.url, key: honestChallenge.server });
  await startCompiledHelper(program, host);
  const agent = startPart(program, host, "run");
  await expect.poll(() => agent.said()).toMatch(/not connected: key\./);
  expect(server.peers[0]?.received).toEqual([]);
  return codeIn(agent.said());
}

async function challenged(key: Uint8Array): Promise<string> {
  const server = await startControlServer(({ socket }) =>
    socket.send(challengeFrame({ ...honestChallenge, server: key })),
  );
  const host = await makeEnrolled({ url: server.url, key: honestChallenge.server });
  await startCompiledHelper(program, host);
  const agent = startPart(program, host, "run");
  await expect.poll(() => agent.said()).toMatch(/^not connected: /);
  expect(server.peers[0]?.received).toEqual([]);
  return codeIn(agent.said());
}

/** What the helper answers while root enrols this host with `pinned`. */
async function askedFor(verb: "channel.sign" | "enrol.sign", fields: object, pinned = good): Promise<string> {
  return answerOf(await makeEnrolling(pinned), verb, fields);
}

/** Only the seed is kept, and the public half follows from it: a file that says another one is not believed. */
async function besideTheSeed(key: Uint8Array): Promise<string> {
  const host = await makeEnrolled({ url: nowhere, key: good });
  const kept = JSON.parse(readFileSync(host.paths.hostKey, "utf8")) as object;
  writeFileSync(host.paths.hostKey, JSON.stringify({ ...kept, public: text(key) }));
  chmodSync(host.paths.hostKey, 0o600);
  return answerOf(host, "identity", {});
}

async function answerOf(host: HostDirectory, verb: HelperVerbName, fields: object): Promise<string> {
  await startCompiledHelper(program, host);
  const ask = openAskHelper({ socket: host.paths.helperSocket, timers: systemTimers });
  return ask(verb, { ...fields }).then(
    () => "signed",
    (error: unknown) => (isFault(error) ? error.code : String(error)),
  );
}
