import { expect, test } from "vitest";
import { Chance, counts } from "./support/chance.ts";
import { spySocket, startPlanted } from "./inside/planted-server.ts";
import { inLanes } from "./support/in-lanes.ts";
import { type RawAnswer, send, sendRaw } from "./support/raw-http.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/** ws: one header too many ended the process; another took seconds to be read. Node: so did malformed HTTP/2 and TLS. */
const server = await sharedServer();

const paths = [
  "/api/terminal/sessions/1/attach",
  "/api/agent/terminal/stream",
  "/api/agent/control/stream",
  "/api/none",
  "/api/version",
  "/",
  "/assets/x",
];
const good: Readonly<Record<string, string>> = {
  Connection: "Upgrade",
  Upgrade: "websocket",
  "Sec-WebSocket-Version": "13",
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
};
const commas = ",".repeat(7_000);
const changes: readonly Readonly<Record<string, string | readonly string[]>>[] = [
  {},
  ...["", "h2c", "websocket, h2c", "WEBSOCKET", "web socket", "TLS/1.0", "websocket/13", "x".repeat(7_000)].map(
    (value) => ({ Upgrade: value }),
  ),
  ...["", "close", "keep-alive, Upgrade", "Upgrade, HTTP2-Settings", `${" ".repeat(7_000)}Upgrade`, commas].map(
    (value) => ({ Connection: value }),
  ),
  ...["", "0", "8", "14", "-1", "13, 13", "1e1", "9".repeat(7_000)].map((value) => ({
    "Sec-WebSocket-Version": value,
  })),
  ...["", "x", "=".repeat(7_000), "\u00ff".repeat(24), "AAAA", `${"A".repeat(7_000)}==`].map((value) => ({
    "Sec-WebSocket-Key": value,
  })),
  ...["", commas, "a,a", "a, ,b", " ".repeat(7_000), `a${" ".repeat(7_000)},b`, "\u0080", "a;b", '"'].map((value) => ({
    "Sec-WebSocket-Protocol": value,
  })),
  ...[
    "",
    commas,
    "permessage-deflate",
    `permessage-deflate${";a=b".repeat(1_500)}`,
    'x; a="',
    `x; a="${"\\".repeat(7_000)}`,
    "a;".repeat(3_500),
    "permessage-deflate; server_max_window_bits=99999999999",
  ].map((value) => ({ "Sec-WebSocket-Extensions": value })),
  { Upgrade: ["websocket", "websocket"] },
  { "Sec-WebSocket-Key": ["dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub25jZQ=="] },
  { "HTTP2-Settings": "AAMAAABkAAQCAAAAAAIAAAAA", Upgrade: "h2c", Connection: "Upgrade, HTTP2-Settings" },
  ...[1, 200, 1_000, 1_990].map((many) => ({ "X-Many": Array.from({ length: many }, (_, n) => String(n)) })),
];

test("none of the program succeeds without its subprotocol, each is answered, and the server survives them all", async (context) => {
  const requests = paths.flatMap((path) =>
    changes.flatMap((change) => ["GET", "POST"].map((method) => ({ method, path, headers: headersOf(change) }))),
  );
  const answers = await inLanes(requests, 8, (request) => send(server.port, request));
  judge(answers);
  const slowest = Math.max(...answers.map(({ ms }) => ms));
  tried(context, `${count(requests.length, "upgrade requests")}, slowest ${slowest.toFixed(0)} ms`);
});

const socket = spySocket({
  path: "/api/planted/agent",
  summary: "",
  from: "agent",
  access: { kind: "agent" },
  maxFrame: 1_024,
});

test("where there is a socket, each handshake is taken or refused with a problem, and nothing ends the server", async (context) => {
  await using planted = await startPlanted({ sockets: [socket] });
  const { path } = socket.spec;
  const chance = new Chance("handshakes at a socket");
  const plain = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${linesOf({})}\r\n`;
  const mutated = Array.from({ length: counts["84 broken handshakes"] }, () => mutate(chance, plain));
  const bodies = ["Content-Length: 3\r\n", "Content-Length: 0\r\n", "Transfer-Encoding: chunked\r\n"];
  const sent = [
    ...changes.map((change) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${linesOf(change)}\r\n`),
    ...bodies.flatMap((line) =>
      ["", "a", "3\r\nabc\r\n0\r\n\r\n"].map((body) => plain.replace(/\r\n$/, `${line}\r\n${body}`)),
    ),
    ...mutated,
  ];
  const answers = await inLanes(sent, 16, (bytes) => sendRaw(planted.port, bytes, { patienceMs: 50 }));
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  for (const { status, headers } of answers) expect(headers.has("sec-websocket-accept")).toBe(status === 101);
  expect(answers.filter(({ status }) => status === 101)).toHaveLength(socket.opened());
  expect(socket.opened()).toBeGreaterThan(0);
  expect((await send(planted.port, { path: "/api/health" })).status).toBe(200);
  expect(planted.log.filter((line) => line.includes('"error"'))).toEqual([]);
  tried(context, `${count(sent.length, "handshakes")}, ${socket.opened()} of them good enough`);
});

test("frames that no client would send end their own socket and nothing else", async (context) => {
  await using planted = await startPlanted({ sockets: [socket] });
  const plain = `GET ${socket.spec.path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${linesOf({})}\r\n`;
  const chance = new Chance("frames");
  const noise = Array.from({ length: counts["84 broken handshakes"] }, () =>
    Uint8Array.from({ length: 1 + chance.below(60) }, () => chance.below(256)),
  );
  const sent = [...strangeFrames, ...noise];
  await inLanes(sent, 16, (frame) =>
    // With the handshake, so that it comes before the answer does; and what follows it is a stranger's too.
    sendRaw(planted.port, Buffer.concat([Buffer.from(plain), frame]), { patienceMs: 50 }),
  );
  expect((await send(planted.port, { path: "/api/health" })).status).toBe(200);
  expect(planted.log.filter((line) => line.includes('"error"'))).toEqual([]);
  tried(context, count(sent.length, "broken frames"));
});

/** Not masked, reserved bits, unknown opcodes, lengths of a terabyte, a close of one byte, text that is no text, a fragment of nothing. */
const strangeFrames: readonly Uint8Array[] = [
  [0x81, 0x01, 0x61],
  [0xf1, 0x81, 0, 0, 0, 0, 0x61],
  ...[3, 4, 5, 6, 7, 0xb, 0xc, 0xd, 0xe, 0xf].map((opcode) => [0x80 | opcode, 0x80, 0, 0, 0, 0]),
  [0x82, 0xff, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  [0x82, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0],
  [0x82, 0xfe, 0x04, 0x01, 0, 0, 0, 0],
  [0x88, 0x81, 0, 0, 0, 0, 1],
  [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xed],
  [0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28],
  [0x80, 0x80, 0, 0, 0, 0],
  [0x09, 0x80, 0, 0, 0, 0],
  [0x89, 0xfe, 0, 0x7e, 0, 0, 0, 0],
  Array.from({ length: 2_000 }, (_, n) => [n === 0 ? 0x01 : 0x00, 0x80, 0, 0, 0, 0]).flat(),
  Array.from({ length: 5_000 }, () => [0x89, 0x80, 0, 0, 0, 0]).flat(),
].map((bytes) => Uint8Array.from(bytes));

/** Bytes of other protocols, and heads that are broken in the middle of an upgrade. */
const strangeBytes: readonly (string | Uint8Array)[] = [
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0",
  Uint8Array.from([0x16, 3, 1, 0, 5, 1, 0, 0, 1, 3, 3]),
  Uint8Array.from([0x81, 0x85, 1, 2, 3, 4, 0x69, 0x67, 0x6f]),
  Uint8Array.from({ length: 2_000 }, (_, n) => n & 255),
  "GET / HTTP/1.1\r\nUpgrade\r\n\r\n",
  "GET / HTTP/1.1\r\nUpgrade : websocket\r\n\r\n",
  "GET / HTTP/1.1\r\n Upgrade: websocket\r\n\r\n",
  "GET / HTTP/9.9\r\nUpgrade: websocket\r\n\r\n",
  "GET / HTTP/1.0\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
  "GET /\r\n\r\n",
  "\r\n\r\n\r\n\r\nGET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n",
  "GET / HTTP/1.1\nHost: a\nUpgrade: websocket\nConnection: Upgrade\n\n",
  `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n${"Sec-WebSocket-Extensions: a\r\n".repeat(500)}Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n`,
  "SSH-2.0-OpenSSH_9.9\r\n",
  "\0".repeat(5_000),
];

test("bytes of other protocols and mutated handshakes are refused the same way", async (context) => {
  const chance = new Chance("handshakes");
  const handshake = `GET /api/agent/control/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n${linesOf({})}\r\n`;
  const mutated = Array.from({ length: counts["84 broken handshakes"] }, () => mutate(chance, handshake));
  const sent = [...strangeBytes, ...mutated];
  // Half of a head is waited for, until we say that there is no more: then each is answered or closed.
  const answers = await inLanes(sent, 16, (bytes) => sendRaw(server.port, bytes, { patienceMs: 50 }));
  judge(answers);
  expect((await send(server.port, { path: "/api/health" })).status).toBe(200);
  tried(context, count(sent.length, "broken handshakes"));
});

function judge(answers: readonly RawAnswer[]): void {
  expect(answers.filter(({ status }) => status === 101 || status >= 500)).toEqual([]);
  // An answer of 426 says which protocol there would be; no other one speaks of another protocol.
  const promises = answers.filter(({ status, headers }) => headers.has("upgrade") && status !== 426);
  expect([...promises, ...answers.filter(({ headers }) => headers.has("sec-websocket-accept"))]).toEqual([]);
  expect(server.isAlive()).toBe(true);
  expect(server.stderr()).toBe("");
}

function headersOf(change: Readonly<Record<string, string | readonly string[]>>): (readonly [string, string])[] {
  return Object.entries({ ...good, ...change }).flatMap(([name, value]) =>
    (typeof value === "string" ? [value] : value).map((one) => [name, one] as const),
  );
}

function linesOf(change: Readonly<Record<string, string | readonly string[]>>): string {
  return headersOf(change)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
}

function mutate(chance: Chance, text: string): string {
  const characters = text.split("");
  for (let changes = 1 + chance.below(6); changes > 0; changes -= 1) {
    const at = chance.below(characters.length);
    characters.splice(at, chance.below(4), String.fromCharCode(chance.below(256)).repeat(1 + chance.below(3)));
  }
  return characters.join("");
}
