import { expect, test } from "vitest";
import { host, makeWorld } from "./inside/egress.ts";
import { lookupHost, makeLookup, publicAddressOf } from "./inside/lookup.ts";
import { hookHost, makeWebhooks } from "./inside/webhook.ts";
import { Chance, counts } from "./support/chance.ts";
import { count, tried } from "./support/tried.ts";

/** Gitea and Vault: the address that was checked was not the address that was connected to. */
const chance = new Chance("dns-rebinding");
const outside = ["8.8.4.4", "1.1.1.1", "9.9.9.9", "104.16.0.1"];
const insides = ["127.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.0.1", "100.64.0.1"];

test("a name that changes its mind after the first answer is connected to where it first pointed", async (context) => {
  const rounds = counts["66 answers"];
  let round = 0;
  const first = () => outside[round % outside.length] ?? "";
  let asked = 0;
  // Every answer after the first of a round is inside.
  await using world = await makeWorld(() => {
    asked += 1;
    return asked <= 2 ? { a: [first()], aaaa: [] } : { a: [chance.pick(insides)], aaaa: ["::1"] };
  });
  for (; round < rounds; round += 1) {
    asked = 0;
    const before = world.questions.length;
    expect((await world.ask()).got).toBe(200);
    // One question for each family, and none between the check and the connection.
    expect(world.questions.length - before).toBe(2);
    expect(world.peer.asked.at(-1)).toBe(`${first()}:443`);
    expect((await world.ask()).got).toBe("address");
  }
  expect(world.peer.asked).toHaveLength(rounds);
  expect(new Set(world.questions)).toEqual(new Set([`${host} a`, `${host} aaaa`]));
  tried(context, count(rounds, "names that flip"));
});

test("one address inside spoils the name, in whatever place and family it stands", async (context) => {
  let answer: { a: string[]; aaaa: string[] } = { a: [], aaaa: [] };
  await using world = await makeWorld(() => answer);
  const mixes: (typeof answer)[] = insides.flatMap((address) => [
    { a: [address, ...outside], aaaa: [] },
    { a: [...outside, address], aaaa: [] },
    { a: [outside[0] ?? "", address, outside[1] ?? ""], aaaa: ["2606:4700::1111"] },
    { a: outside, aaaa: ["2606:4700::1111", "::1"] },
    { a: outside, aaaa: ["64:ff9b::7f00:1"] },
    { a: [], aaaa: ["2606:4700::1111", "fd00::1"] },
  ]);
  for (const mix of mixes) {
    answer = mix;
    expect((await world.ask()).got, JSON.stringify(mix)).toBe("address");
  }
  expect(world.peer.connections()).toBe(0);
  tried(context, count(mixes.length, "mixed answers"));
});

test("of many addresses the one that is used was judged", async (context) => {
  const rounds = counts["66 answers"];
  let answer: string[] = [];
  await using world = await makeWorld(() => ({ a: answer, aaaa: ["2606:4700::1111"] }));
  for (let round = 0; round < rounds; round += 1) {
    answer = chance.sample(outside, 1 + chance.below(outside.length));
    expect((await world.ask()).got).toBe(200);
    expect([...answer, "2606:4700::1111"]).toContain(world.peer.asked.at(-1)?.replace(/:443$/, ""));
  }
  tried(context, count(rounds, "names with several addresses"));
});

test("whoever takes over the address still needs the host's certificate", async () => {
  await using world = await makeWorld(() => ({ a: ["8.8.4.4"], aaaa: [] }));
  const other = "other.example.test";
  const { got } = await world.ask({ url: `https://${other}/`, hosts: [other] });
  expect(got).toBe("unreachable");
  expect(world.peer.seen).toEqual([]);
});

test("a lookup goes to what its service's name said when it was asked, once for each question", async (context) => {
  const rounds = counts["66 answers"];
  let round = 0;
  const first = () => outside[round % outside.length] ?? "";
  let asked = 0;
  await using world = await makeLookup((_, response) => void response.end('{"lat":1,"lon":2}'), {
    zone: () => {
      asked += 1;
      return asked <= 2 ? { a: [first()], aaaa: [] } : { a: [chance.pick(insides)], aaaa: ["::1"] };
    },
  });
  for (; round < rounds; round += 1) {
    asked = 0;
    expect((await world.look(publicAddressOf(round))).shown?.place).not.toBeNull();
    expect(asked).toBe(2);
    expect(world.peer.asked.at(-1)).toBe(`${first()}:443`);
  }
  expect(new Set(world.questions)).toEqual(new Set([`${lookupHost} a`, `${lookupHost} aaaa`]));
  tried(context, count(rounds, "lookups by a name that flips"));
});

test("a notice goes to what its receiver's name said when it was sent, and nowhere without the certificate", async (context) => {
  const rounds = counts["66 answers"];
  let round = 0;
  const first = () => outside[round % outside.length] ?? "";
  let asked = 0;
  await using world = await makeWebhooks((_, response) => void response.end(), {
    zone: () => {
      asked += 1;
      return asked <= 2 ? { a: [first()], aaaa: [] } : { a: [chance.pick(insides)], aaaa: ["::1"] };
    },
  });
  const { id } = await world.add();
  for (; round < rounds; round += 1) {
    asked = 0;
    expect((await world.send(id)).delivery.outcome).toBe("taken");
    expect(asked).toBe(2);
    expect(world.peer.asked.at(-1)).toBe(`${first()}:443`);
  }
  expect(new Set(world.questions)).toEqual(new Set([`${hookHost} a`, `${hookHost} aaaa`]));
  const sent = world.peer.seen.length;
  const other = await world.add("https://other.example.test/");
  expect((await world.send(other.id)).delivery.outcome).toBe("failed");
  expect(world.peer.seen).toHaveLength(sent);
  tried(context, count(rounds, "notices by a name that flips"));
});
