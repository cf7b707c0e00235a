import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { manualClock } from "@gatehouse/base";
import { nodeVfs } from "@gatehouse/files";
import { faultyVfs } from "@gatehouse/files/faulty";
import { newPrivateKey, publicKeyBytes } from "@gatehouse/keys";
import { expect, test } from "vitest";
import { Random } from "../../../../tests/support/random.ts";
import { lineServer, type MadeHead, makeLine } from "../../test/head-line.ts";
import { makeHostDirectory } from "../../test/host-directory.ts";
import { putPinnedServer } from "../local/server-file.ts";
import { acceptHistory } from "./accept-history.ts";
import { findKeptDays, findKeptWitness, putKeptWitness, newKeptWitness, witnessKeeping } from "./kept-witness.ts";
import { readStanding, takeHead } from "./take-head.ts";
import { standingLines, witnessReport } from "./witness-report.ts";

const line = makeLine(30);
const other = makeLine(30, { salt: 2 });
const day = 24 * 60 * 60_000;

function ground() {
  const place = makeHostDirectory();
  const clock = manualClock();
  const lines: string[] = [];
  const deps = { place, clock, log: (text: string) => void lines.push(text) };
  const take = (head: MadeHead | undefined, server = lineServer) =>
    takeHead(deps, server, { signed: (head as MadeHead).signed });
  const accept = async (more: object = {}) => {
    await putPinnedServer(place, { url: "https://gh.example", key: lineServer });
    const around = { place, clock, show: (text: string) => void lines.push(text), askPerson: undefined };
    return acceptHistory({ ...around, isSure: true, ...more });
  };
  const file = (name: string) => join(place.paths.helperState, name);
  return { place, clock, lines, deps, take, accept, file };
}

test("what was taken is still held after a new start, and a refusal stays until root ends it", async () => {
  const { place, take, accept, lines } = ground();
  expect(await take(line[4])).toMatchObject({ state: "taken", held: { n: 5, position: 50 }, code: null });
  expect(await take(other[2])).toMatchObject({ state: "refused", held: { n: 5 }, code: "witness.regressed" });
  await take(other[3]);
  expect(lines.filter((text) => text.includes("not believed"))).toEqual([
    "the log of the server is not believed: witness.regressed: it holds head 5 at 50 and was shown head 3 at 30",
  ]);
  expect(readStanding(place, lineServer)).toMatchObject({ held: { n: 5 }, code: "witness.regressed" });
  expect((await accept()).json).toMatchObject({ accepted: true, n: 4 });
  expect(readStanding(place, lineServer)).toMatchObject({ held: { n: 4 }, code: null });
  expect(await take(other[4])).toMatchObject({ state: "taken", held: { n: 5 } });
  expect(findKeptWitness(place, lineServer)?.conflicts).toHaveLength(2);
});

test("a fork after which the line went on is ended without leaving that line", async () => {
  const { take, accept, place } = ground();
  await take(line[4]);
  await take(other[4]);
  await take(line[5]);
  expect(readStanding(place, lineServer)).toMatchObject({ held: { n: 6 }, code: "witness.fork" });
  expect((await accept()).json).toMatchObject({ n: 6 });
  expect(await take(line[6])).toMatchObject({ state: "taken", code: null });
});

test("root is asked, and nothing is accepted without a yes or where nothing was refused", async () => {
  const { take, accept, place } = ground();
  await expect(accept()).rejects.toThrow(/^witness\.nothing_refused/);
  await take(line[4]);
  await expect(accept()).rejects.toThrow(/^witness\.nothing_refused/);
  await take(other[2]);
  await expect(accept({ isSure: false })).rejects.toThrow(/^witness\.unconfirmed/);
  await expect(accept({ isSure: false, askPerson: () => "no" })).rejects.toThrow(/^witness\.unconfirmed/);
  expect(readStanding(place, lineServer).code).toBe("witness.regressed");
  await accept({ isSure: false, askPerson: () => "yes" });
  expect(readStanding(place, lineServer).code).toBeNull();
});

/** Root types at last, and its answer is yes. */
function typesAfter(happening: () => void) {
  return {
    isSure: false,
    askPerson: () => {
      happening();
      return "yes";
    },
  };
}

test("what the helper kept while root made up its mind is not thrown away", async () => {
  const { take, accept, place } = ground();
  await take(line[4]);
  await take(other[4]);
  await take(line[5]);
  const before = findKeptWitness(place, lineServer);
  await take(line[6]);
  const later = findKeptWitness(place, lineServer);
  if (before === undefined || later === undefined) throw new Error("nothing is kept");
  await putKeptWitness(place, before);
  await accept(typesAfter(() => writeFileSync(join(place.paths.helperState, "witness.json"), JSON.stringify(later))));
  expect(readStanding(place, lineServer)).toMatchObject({ held: { n: 7 }, code: null });
  expect(findKeptWitness(place, lineServer)?.conflicts).toHaveLength(1);
});

test("a yes to one trouble is none to another that came meanwhile", async () => {
  const { take, accept, place } = ground();
  await take(line[4]);
  await take(other[2]);
  const before = findKeptWitness(place, lineServer);
  await take(other[4]);
  const later = findKeptWitness(place, lineServer);
  if (before === undefined) throw new Error("nothing is kept");
  await putKeptWitness(place, before);
  const answer = typesAfter(() => writeFileSync(join(place.paths.helperState, "witness.json"), JSON.stringify(later)));
  await expect(accept(answer)).rejects.toThrow(/^witness\.unconfirmed/);
  expect(readStanding(place, lineServer)).toMatchObject({ held: { n: 5 }, code: "witness.fork" });
  expect(findKeptWitness(place, lineServer)?.conflicts).toHaveLength(2);
});

test.each(["witness.json", "witness-days.json"])(
  "a damaged %s is refused, never taken for nothing, and set aside when root says so",
  async (name) => {
    const { take, accept, file, place } = ground();
    await take(line[4]);
    writeFileSync(file(name), "{");
    expect(await take(line[5])).toMatchObject({ state: "refused", code: "witness.damaged", held: null });
    expect(readStanding(place, lineServer).code).toBe("witness.damaged");
    await accept();
    expect(readdirSync(place.paths.helperState)).toContain(`${name}.damaged`);
    expect(await take(line[9])).toMatchObject({ state: "taken", held: { n: 10 } });
  },
);

test("a newest head that is gone beside those of earlier days is damage", async () => {
  const { take, file, place } = ground();
  await take(line[4]);
  await nodeVfs.remove(file("witness.json"));
  expect(await take(line[2])).toMatchObject({ state: "refused", code: "witness.damaged" });
  expect(readStanding(place, lineServer).code).toBe("witness.damaged");
});

test("heads of a former server say nothing of another one that root enrolled this host with", async () => {
  const { take, place } = ground();
  await take(line[4]);
  const key = newPrivateKey();
  const [first] = makeLine(1, { key });
  expect(await take(first, publicKeyBytes(key))).toMatchObject({ state: "taken", held: { n: 1 } });
  expect(findKeptDays(place, publicKeyBytes(key))).toHaveLength(1);
});

test("one head of a day is kept for 400 days, and the file names all of them", async () => {
  const { take, clock, place, deps } = ground();
  const long = makeLine(witnessKeeping.days + 30);
  for (const head of long) {
    clock.advance(day);
    await takeHead(deps, lineServer, { signed: head.signed });
  }
  await take(long.at(-1));
  const days = findKeptDays(place, lineServer);
  expect(days).toHaveLength(witnessKeeping.days);
  expect(days.at(-1)?.head).toBe(long.at(-1)?.text);
  const kept = findKeptWitness(place, lineServer);
  const { json, ok } = witnessReport({ node: "node_x", kept, days });
  expect([ok, json["node"], (json["heads"] as string[]).length]).toEqual([true, "node_x", witnessKeeping.days]);
});

test("a head grows old when none comes behind it, and its age is told", async () => {
  const { take, place } = ground();
  await take(line[4]);
  const held = readStanding(place, lineServer);
  const made = held.held?.at ?? 0;
  expect(standingLines(held, made + 90_000)).toEqual(["Log of the server: head 5 at position 50, 90 seconds old"]);
  await take(other[2]);
  expect(standingLines(readStanding(place, lineServer), made)[1]).toMatch(
    /^NOT BELIEVED: witness\.regressed: .*witness accept$/,
  );
});

test("wherever the power is cut, the host holds the head before or the one that was taken, never none", async () => {
  const [before, after] = [line[0] as MadeHead, line[1] as MadeHead];
  const holding = (head: MadeHead) => ({ ...newKeptWitness(lineServer), held: head.text });
  const vfs = faultyVfs({ directories: ["/state"] });
  const place = { paths: { helperState: "/state" }, owner: 0, vfs };
  await putKeptWitness(place, holding(before), [{ day: "2026-01-01", head: before.text }]);
  const from = vfs.ops;
  await putKeptWitness(place, holding(after), [{ day: "2026-01-02", head: before.text }]);
  const seen = new Set<string>();
  for (let op = from; op <= vfs.ops; op += 1) {
    for (let seed = 0; seed < 5; seed += 1) {
      const image = vfs.imageAt(op, new Random(seed, op)).contents();
      const read = (name: string) =>
        JSON.parse(new TextDecoder().decode(image.get(`/state/${name}`))) as { held: string };
      seen.add(read("witness.json").held);
      expect(() => read("witness-days.json"), `after ${op}`).not.toThrow();
    }
  }
  expect(seen).toEqual(new Set([before.text, after.text]));
});
