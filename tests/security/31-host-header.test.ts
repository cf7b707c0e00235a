import { expect, test } from "vitest";
import { inLanes } from "./support/in-lanes.ts";
import { newClient } from "./support/new-client.ts";
import { type RawAnswer, type RequestOptions, send } from "./support/raw-http.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";
import { joined } from "./support/joined.ts";

/** Nezha: the link in a mail led to whatever Host the attacker had sent. */
const publicHost = "console.example.test";
const server = await sharedServer({
  env: { SERVICE_PUBLIC_URL: `https://${publicHost}`, SERVICE_TRUST_PROXY: "1" },
});

const foreignHosts = joined(
  [
    "evil.test",
    "evil.test:443",
    "EVIL.TEST",
    `${publicHost}.evil.test`,
    `evil.test/${publicHost}`,
    `${publicHost}@evil.test`,
  ],
  [`evil.test#${publicHost}`, `evil.test?${publicHost}`, `${publicHost}.`, `${publicHost}:80`, `${publicHost}:8443`],
  [
    `${publicHost}, evil.test`,
    `evil.test, ${publicHost}`,
    `x.${publicHost}`,
    `-${publicHost}`,
    `${publicHost}%00.evil.test`,
  ],
  [
    "",
    " ",
    "*",
    "0.0.0.0",
    "127.0.0.1.evil.test",
    "localhost.evil.test",
    "127.0.0.1@evil.test",
    "0x7f000001",
    "2130706433",
  ],
  [
    "0177.0.0.1",
    "127.1",
    "[::ffff:127.0.0.1]",
    "[::]",
    "::1",
    "[::1",
    "[::1].evil.test",
    "localhost:99999999",
    "10.0.0.1",
  ],
  [
    "169.254.169.254",
    "evil.test:8088",
    "evil%2etest",
    "evil.test\u00ff",
    "evil\\.test",
    "'\"><script>",
    "${host}",
    "{{host}}",
  ],
  [
    "http://evil.test",
    "https://evil.test/",
    "//evil.test",
    "localhost, evil.test",
    "evil.test\tlocalhost",
    "a".repeat(300),
  ],
  [`${publicHost}:443:443`, `${publicHost}:0443`],
);
const forwarded = [
  "X-Forwarded-Host",
  "X-Forwarded-Server",
  "X-Host",
  "X-Original-Host",
  "X-HTTP-Host-Override",
  "Forwarded",
];
const places: readonly RequestOptions[] = [
  { path: "/" },
  { path: "/login?next=//evil.test" },
  { path: "/theme-init.js" },
  { path: "/assets/none.js" },
  { path: "/api/version" },
  { path: "/api/openapi.json" },
  { path: "/api/none" },
  { path: "/api/metrics" },
  { path: "/api/version", method: "DELETE" },
  { path: "/api/csp-reports", method: "POST", body: "{}" },
];
const probes: readonly RequestOptions[] = [{ path: "/api/health" }, { path: "/api/ready" }];

test("a Host that is not ours gets 421 and is not repeated, and probes answer it without repeating it", async (context) => {
  const requests = foreignHosts.flatMap((host) =>
    [...places, ...probes].map((place) => ({ ...place, headers: [["Host", host]] as const, host })),
  );
  const wrong = await inLanes(requests, 8, async (request) => {
    const answer = await send(server.port, request);
    const expected = probes.some(({ path }) => path === request.path) ? [200, 400] : [400, 421];
    const problem = expected.includes(answer.status) ? findEcho(answer, request.host) : `${answer.status}`;
    return problem === undefined ? [] : [`${JSON.stringify(request.host)} ${request.path}: ${problem}`];
  });
  expect(wrong.flat()).toEqual([]);
  tried(context, `${count(foreignHosts.length, "Host values")} at ${count(places.length + probes.length, "places")}`);
});

test("forwarded hosts and protocols change nothing about an answer", async (context) => {
  const values = ["evil.test", "evil.test:1", publicHost, "localhost", "host=evil.test;proto=http", "'\"><script>"];
  let requests = 0;
  for (const place of [...places, ...probes]) {
    const host = ["Host", publicHost] as const;
    const plain = comparable(await send(server.port, { ...place, headers: [host, newClient()] }));
    for (const name of forwarded) {
      for (const value of values) {
        const headers = [
          host,
          newClient(),
          [name, value],
          ["X-Forwarded-Proto", "http"],
          ["X-Forwarded-Port", "1"],
        ] as const;
        const odd = await send(server.port, { ...place, headers });
        requests += 1;
        expect(comparable(odd), `${place.path} with ${name}: ${value}`).toEqual(plain);
      }
    }
  }
  tried(context, `${count(requests, "requests")} with forwarded hosts`);
});

test("every address in an answer is constant or the public one, and nothing redirects", async (context) => {
  const hosts = [
    publicHost,
    publicHost.toUpperCase(),
    `${publicHost}:443`,
    "localhost",
    "localhost:1",
    "[::1]:9",
    "127.9.9.9",
  ];
  const found = new Map<string, Set<string>>();
  for (const host of hosts) {
    for (const place of [...places, ...probes]) {
      const answer = await send(server.port, { ...place, headers: [["Host", host]] });
      expect(answer.status, `${host} ${place.path}`).not.toBe(421);
      expect([...answer.headers.keys()], `${host} ${place.path}`).not.toContain("location");
      const addresses = found.get(place.path) ?? new Set();
      addresses.add(urlsIn(answer).join(" "));
      found.set(place.path, addresses);
    }
  }
  // One entry per place: whatever the Host was, the addresses in the answer were the same.
  for (const [path, addresses] of found) expect([path, addresses.size]).toEqual([path, 1]);
  tried(context, `${count(hosts.length, "own hosts")} with the same addresses`);
});

test("the search for repeated hosts finds one", () => {
  const body = Buffer.from('{"url":"https://evil.test/x"}');
  const answer = { status: 200, headers: new Map(), head: "", body, ms: 0 };
  expect(findEcho(answer, "evil.test")).toBeDefined();
  expect(urlsIn(answer)).toEqual(["https://evil.test/x"]);
});

function findEcho({ head, body }: RawAnswer, host: string): string | undefined {
  const word = host.trim();
  // Short words and our own names occur by themselves.
  if (word.length < 6 || publicHost.includes(word)) return undefined;
  return `${head}\n${body.toString("latin1")}`.includes(word) ? "repeats the host" : undefined;
}

function urlsIn({ head, body }: RawAnswer): string[] {
  return `${head}\n${body.toString("latin1")}`.match(/\b(?:https?|wss?):\/\/[^\s"'<>)]+/g) ?? [];
}

/** Everything but what differs between any two answers. */
function comparable({ status, headers, body }: RawAnswer) {
  const kept = [...headers].filter(([name]) => name !== "x-request-id" && name !== "date" && name !== "content-length");
  return { status, kept, body: body.toString("latin1").replaceAll(/req_[0-9a-z]+/g, "") };
}
