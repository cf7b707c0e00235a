import { expect, test } from "vitest";
import { lookupSecret, makeLookup, publicAddressOf } from "./inside/lookup.ts";
import { hookSecret, makeWebhooks } from "./inside/webhook.ts";
import { connectTo, host, makeWorld, refusedRanges, secretBody } from "./inside/egress.ts";
import { Chance, counts } from "./support/chance.ts";
import { joined } from "./support/joined.ts";
import { findInSources, productSources } from "./support/sources.ts";
import { count, tried } from "./support/tried.ts";

/** Nezha and Dozzle: a notification's address was fetched, whatever it was, and the answer shown to whoever asked. */
const chance = new Chance("server-side-request");

const inside = joined(
  ["127.0.0.1", "127.255.255.254", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254"],
  ["169.254.170.2", "100.64.0.1", "100.100.100.200", "168.63.129.16", "192.0.0.192", "0.0.0.0", "255.255.255.255"],
  ["224.0.0.1", "::1", "::", "fc00::1", "fd00:ec2::254", "fe80::1", "fec0::1", "ff02::1", "2001:db8::1"],
);

test("a declared host that leads inside is refused, nothing is connected to, and the answer tells nothing", async (context) => {
  let at = 0;
  const addresses = [...inside, ...randomInside(counts["65 addresses"])];
  const zone = () => {
    const address = addresses[at] ?? "";
    return address.includes(":") ? { a: [], aaaa: [address] } : { a: [address], aaaa: [] };
  };
  // The real connection, so that nothing but the refusal stands between the request and our own network.
  await using world = await makeWorld(zone);
  for (; at < addresses.length; at += 1) {
    const { got, said } = await world.ask({ connect: connectTo });
    expect(got, addresses[at]).toBe("address");
    expect(said).not.toContain(addresses[at]);
    expect(said).not.toContain(secretBody);
  }
  expect(world.peer.connections()).toBe(0);
  tried(context, count(addresses.length, "addresses inside, from a real name server"));
});

test("an address in the place of a host leads nowhere, however it is written, also when it is declared", async (context) => {
  await using world = await makeWorld(() => ({ a: ["8.8.4.4"], aaaa: [] }));
  const own = String(world.peer.port);
  const written = joined(
    ["127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]"],
    ["[::ffff:7f00:1]", "169.254.169.254", "[fd00:ec2::254]", "0", "[::]", "8.8.8.8", "[2606:4700::1111]", "1.2.3"],
    ["127.0.0.1.", "127\u30020.0.1", "①②⑦.0.0.1", "%31%32%37.0.0.1", `127.0.0.1:${own}`, `localhost:${own}`],
  );
  for (const text of written) {
    for (const hosts of [[host], [text], [text.replace(/[[\]]/g, "")]]) {
      const { got } = await world.ask({ url: `https://${text}/`, hosts, connect: connectTo });
      expect(["malformed", "host"], `${text} of ${hosts.join()}`).toContain(got);
    }
  }
  expect(world.questions).toEqual([]);
  expect(world.peer.connections()).toBe(0);
  tried(context, count(written.length * 3, "written addresses"));
});

test("a host that was not declared is not even looked up", async (context) => {
  await using world = await makeWorld(() => ({ a: ["8.8.4.4"], aaaa: [] }));
  const others = joined(
    ["evil.test", `${host}.evil.test`, `evil-${host}`, `x.${host}`, "example.test", "test", `${host}.`, `.${host}`],
    [`evil.test#@${host}`, `${host}@evil.test`, `${host}:x@evil.test`, `evil.test?${host}`, `evil.test/${host}`],
    [`${host}\\@evil.test`, `evil.test\\${host}`, `${host}%00.evil.test`, `${host}%2eevil.test`, `${host}:8443`],
    [
      `${host}:80`,
      `${host}:0`,
      `${host}:65536`,
      `${host}\t.evil.test`,
      `api\u2024example.test`,
      `api.example.te\u017ft`,
    ],
  );
  for (const text of others) {
    const { got } = await world.ask({ url: `https://${text}/` });
    expect(["malformed", "host"], text).toContain(got);
  }
  expect(world.questions).toEqual([]);
  expect(world.peer.connections()).toBe(0);
  expect((await world.ask()).got).toBe(200);
  tried(context, count(others.length, "other hosts"));
});

test("the lookup of places sends no address inside to anybody, however a host writes it", async (context) => {
  await using world = await makeLookup((_, response) => void response.end('{"lat":1,"lon":2}'));
  const odd = joined([
    "localhost",
    "127.1",
    "0x7f000001",
    "8.8.8.8/24",
    "8.8.8.8:443",
    "8.8.8.8?x=",
    "8.8.8.8#",
    "../8.8.8.8",
  ]);
  const addresses = [...inside, ...randomInside(counts["65 addresses"]), ...odd];
  for (const address of addresses) {
    expect((await world.look(address)).shown, address).toMatchObject({ place: null, why: "private" });
  }
  expect([world.questions, world.peer.connections()]).toEqual([[], 0]);
  expect((await world.look(publicAddressOf(0))).shown?.place).toMatchObject({ latitude: 1, longitude: 2 });
  tried(context, count(addresses.length, "addresses that hosts had"));
});

test("of what a lookup service answers nothing is repeated but a place that is one", async (context) => {
  const canary = "canary-of-the-answer";
  const hostile = joined(
    [
      "",
      "null",
      "[]",
      '"x"',
      "{}",
      "<html>",
      "{".repeat(5_000),
      "[".repeat(20_000),
      "\u0000",
      `{"lat":1,"lon":2} ${canary}`,
    ],
    [
      '{"lat":91,"lon":0}',
      '{"lat":1e999,"lon":0}',
      '{"lat":"1e1","lon":1}',
      '{"lat":[1],"lon":1}',
      '{"lat":true,"lon":1}',
    ],
    ['{"success":false,"latitude":1,"longitude":2}', '{"latitude":0,"longitude":0}', '{"lat":null,"lon":null}'],
    [
      `[{"lat":1,"lon":2,"city":"${canary}"}]`,
      `{"success":false,"message":"${canary}"}`,
      `{"error":true,"reason":"${canary}"}`,
    ],
    [`{"lat":"${canary}","lon":1}`, `{"x":"${canary.repeat(5_000)}","lat":1,"lon":2}`],
  );
  let body = "";
  let status = 200;
  await using world = await makeLookup((_, response) => {
    response
      .writeHead(status, { "x-canary": canary, location: `https://${canary}.test/`, "set-cookie": canary })
      .end(body);
  });
  let n = 0;
  for (status of [200, 204, 302, 404, 429, 500]) {
    for (body of status === 200 ? hostile : [`{"lat":1,"lon":2,"city":"${canary}"}`]) {
      n += 1;
      const { shown, said } = await world.look(publicAddressOf(n));
      expect(shown?.place, `${status} ${body.slice(0, 60)}`).toBeNull();
      for (const secret of [canary, lookupSecret, publicAddressOf(n)]) expect(said).not.toContain(secret);
    }
  }
  status = 200;
  for (const city of ["<img src=x>", "\u202egnp.exe", "a\nb", "\u001b[2J", "x".repeat(10_000)]) {
    n += 1;
    body = JSON.stringify({ lat: 1, lon: 2, city, canary });
    const { shown, said } = await world.look(publicAddressOf(n));
    expect(shown?.place?.label ?? "-", city).toMatch(/^[ -~]{1,60}$/);
    expect(said).not.toContain(canary);
  }
  tried(context, count(n, "hostile answers"));
});

test("a lookup that never ends is cut off, by its size, and by a server that stops", async () => {
  const endless = await makeLookup((_, response) => {
    const more = () => void (response.destroyed || response.write(" ".repeat(4_096), () => setImmediate(more)));
    more();
  });
  const { shown, said } = await endless.look(publicAddressOf(1));
  expect([shown?.why, said.includes("larger than")]).toEqual(["failed", true]);
  await endless[Symbol.asyncDispose]();
  const arrived = Promise.withResolvers<void>();
  const silent = await makeLookup(() => arrived.resolve());
  await silent.begin(publicAddressOf(2));
  await arrived.promise;
  await silent[Symbol.asyncDispose]();
});

test("of what a receiver of notices answers nothing is repeated but the status", async (context) => {
  const canary = "canary-of-the-answer";
  const bodies = [
    "",
    "null",
    canary,
    `{"text":"${canary}"}`,
    `\u0000${canary}`,
    "{".repeat(5_000),
    canary.repeat(5_000),
  ];
  let status = 200;
  let body = "";
  await using world = await makeWebhooks((_, response) => {
    const headers = { "x-canary": canary, location: `https://${canary}.test/`, "set-cookie": canary, etag: canary };
    response.writeHead(status, headers).end(body);
  });
  const { id, secret } = await world.add();
  let n = 0;
  for (status of [200, 204, 302, 401, 404, 410, 429, 500]) {
    for (body of bodies) {
      n += 1;
      const { delivery, said } = await world.send(id);
      const isShort = status === 204 || body.length <= 65_536;
      expect(delivery.status, `${status} ${body.slice(0, 20)}`).toBe(isShort ? status : null);
      for (const one of [canary, hookSecret, secret]) expect(said).not.toContain(one);
    }
  }
  tried(context, count(n, "hostile answers of a receiver"));
});

test("a receiver that never ends or never answers is cut off, by its size, and by a server that stops", async () => {
  const endless = await makeWebhooks((_, response) => {
    const more = () => void (response.destroyed || response.write(" ".repeat(4_096), () => setImmediate(more)));
    more();
  });
  const { id } = await endless.add();
  expect((await endless.send(id)).delivery.error).toContain("larger than");
  await endless[Symbol.asyncDispose]();
  const arrived = Promise.withResolvers<void>();
  const silent = await makeWebhooks(() => arrived.resolve());
  const sent = silent.send((await silent.add()).id);
  await arrived.promise;
  await silent[Symbol.asyncDispose]();
  expect((await sent).delivery.outcome).toBe("failed");
});

test("only the lookup and webhooks may send to a host that an operator named: no other line names the door that leads inside", (context) => {
  const sources = productSources().filter(
    ({ path }) => path.startsWith("apps/server/src/") && !path.startsWith("apps/server/src/platform/egress/"),
  );
  const found = findInSources(sources, /\bfetchNamed\b/).map((line) => line.split(":")[0]);
  expect(new Set(found)).toEqual(
    new Set(["apps/server/src/features/geo/ask-service.ts", "apps/server/src/features/webhooks/send-notice.ts"]),
  );
  tried(context, count(sources.length, "source files"));
});

test("no line of the server sends a request in another way", (context) => {
  const sources = productSources().filter(
    ({ path }) => path.startsWith("apps/server/src/") && !path.startsWith("apps/server/src/platform/egress/"),
  );
  const ways =
    /(?<![.\w])fetch\(|globalThis\.fetch|new (?:WebSocket|EventSource|XMLHttpRequest)\b|from "(?:undici|axios|got|ws)"/;
  expect(sources.length).toBeGreaterThan(50);
  // The edge's own end of sockets that others open: that nothing dials with it is what the search is for.
  const found = findInSources(sources, ways).filter(
    (line) => !/^apps\/server\/src\/edge\/sockets?[^:]*:\d+: import /.test(line),
  );
  expect(found).toEqual([]);
  expect(findInSources([{ path: "x.ts", text: "const a = await fetch(url);" }], ways)).toHaveLength(1);
  tried(context, count(sources.length, "source files"));
});

/** Addresses out of every range of the table. */
function randomInside(each: number): string[] {
  return refusedRanges.flatMap(([range]) => Array.from({ length: each }, () => randomIn(range)));
}

function randomIn(range: string): string {
  const [base = "", length = "0"] = range.split("/");
  const isFour = !base.includes(":");
  const bits = isFour ? 32 : 128;
  const fixed = isFour ? fourBits(base) : sixBits(base);
  const all = fixed
    .slice(0, Number(length))
    .concat(Array.from({ length: bits - Number(length) }, () => chance.pick(["0", "1"])).join(""));
  if (isFour) return (all.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)).join(".");
  return (all.match(/.{16}/g) ?? []).map((group) => Number.parseInt(group, 2).toString(16)).join(":");
}

function fourBits(text: string): string {
  return text
    .split(".")
    .map((byte) => Number(byte).toString(2).padStart(8, "0"))
    .join("");
}

function sixBits(text: string): string {
  const [head = "", tail = ""] = text.split("::");
  const groups = (part: string) => (part === "" ? [] : part.split(":"));
  const [before, behind] = [groups(head), groups(tail)];
  const zeros = Array.from({ length: 8 - before.length - behind.length }, () => "0");
  return [...before, ...zeros, ...behind]
    .map((group) => Number.parseInt(group, 16).toString(2).padStart(16, "0"))
    .join("");
}
