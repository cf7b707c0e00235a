import { expect, test } from "vitest";
import { judgeAddress, makeWorld } from "./inside/egress.ts";
import { makeLookup } from "./inside/lookup.ts";
import { makeWebhooks } from "./inside/webhook.ts";
import { Chance, counts } from "./support/chance.ts";
import { embeddings } from "./support/embedded-addresses.ts";
import { joined } from "./support/joined.ts";
import { count, tried } from "./support/tried.ts";

/** Mailpit and Nezha: 127.0.0.1 was refused, and 64:ff9b::7f00:1 was not. */
const chance = new Chance("transition-addresses");
const fours = joined(
  ["127.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.0.1", "172.16.5.4", "100.64.0.1", "0.0.0.0", "255.255.255.255"],
  // A public address in such a dress is refused too: who unpacks it, and to what, is not ours to know.
  ["8.8.8.8", "1.1.1.1"],
);

test("an IPv4 address is refused in every IPv6 dress and spelling", (context) => {
  const random = Array.from({ length: counts["68 addresses"] }, () =>
    Array.from({ length: 4 }, () => chance.below(256)).join("."),
  );
  let judged = 0;
  const passed: string[] = [];
  for (const four of [...fours, ...random]) {
    for (const six of embeddings(four)) {
      judged += 1;
      if (judgeAddress(six) === undefined) passed.push(six);
    }
  }
  expect(passed.slice(0, 20)).toEqual([]);
  tried(context, count(judged, "embedded addresses"));
});

test("a host whose name server answers with one is refused, and nothing connects", async (context) => {
  const answers = fours.flatMap((four) => embeddings(four)).filter((six) => !six.includes("."));
  let answer = "::1";
  await using world = await makeWorld(() => ({ a: ["8.8.4.4"], aaaa: [answer] }));
  const asked = new Chance("answers").sample(answers, counts["68 answers"]);
  for (answer of asked) expect((await world.ask()).got, answer).toBe("address");
  expect(world.peer.connections()).toBe(0);
  tried(context, count(asked.length, "answers of a name server"));
});

test("what is public stays public", () => {
  for (const address of ["2606:4700:4700::1111", "2001:4860:4860::8888", "2a00:1450:4001:810::200e", "8.8.8.8"]) {
    expect(judgeAddress(address), address).toBeUndefined();
  }
});

test("a host with such an address is not looked up", async (context) => {
  await using world = await makeLookup((_, response) => void response.end('{"lat":1,"lon":2}'));
  const dresses = fours.flatMap((four) => embeddings(four));
  const asked = new Chance("looked up").sample(dresses, counts["68 answers"]);
  for (const address of asked) expect((await world.look(address)).shown?.why, address).toBe("private");
  expect([world.questions, world.peer.connections()]).toEqual([[], 0]);
  tried(context, count(asked.length, "addresses that hosts had"));
});

test("a webhook to such an address leads to it as it is written, and sends nothing to whoever has no certificate for it", async (context) => {
  await using world = await makeWebhooks((_, response) => void response.end());
  const dresses = [...new Set(fours.flatMap((four) => embeddings(four)).map((six) => URL.parse(`https://[${six}]/`)))];
  const asked = new Chance("webhooks").sample(
    dresses.filter((url) => url !== null),
    10,
  );
  for (const url of asked) {
    const { id } = await world.add(url.href);
    expect((await world.send(id)).delivery, url.href).toMatchObject({ outcome: "failed", status: null });
    expect(world.peer.asked.at(-1)).toBe(`${url.hostname.slice(1, -1)}:443`);
  }
  expect([world.questions, world.peer.seen]).toEqual([[], []]);
  tried(context, count(asked.length, "addresses that an owner wrote"));
});
