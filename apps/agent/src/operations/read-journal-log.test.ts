import { expect, test } from "vitest";
import { cursorOf } from "../../test/fake-journal.ts";
import { makeLogGround, textsOf } from "../../test/log-ground.ts";

const [web, db] = ["web.service", "db.service"];
const hour = 3_600_000;

test("what was there before is not sent; then all units come in one question, each line with its unit, time and level", async () => {
  const { journal, follow, clock } = makeLogGround(web, "/var/log/x.log", db);
  journal.write(web, "old");
  const next = follow();
  expect(await next()).toMatchObject({ lines: [], more: [], lost: [], refused: [] });
  clock.advance(1_000);
  journal.write(web, "one", { PRIORITY: "3" });
  journal.write("other.service", "not of these");
  journal.write(db, "two", { PRIORITY: "no level" });
  journal.write("init.scope", "Started web.", { UNIT: web });
  // What a program says of another unit is not believed before what the journal says of the program.
  journal.write(db, "a lie", { UNIT: web });
  journal.entries = journal.entries.map((entry) => (entry.fields["UNIT"] === web ? { ...entry, unit: web } : entry));
  journal.words.length = 0;
  const at = clock.now();
  const answer = await next();
  expect(answer.lines).toEqual([
    { s: 0, at, level: 3, text: "one" },
    { s: 2, at, level: null, text: "two" },
    { s: 0, at, level: 6, text: "Started web." },
    { s: 2, at, level: 6, text: "a lie" },
  ]);
  const place = answer.cursors[0];
  expect(answer.cursors[2]).toBe(place);
  expect(journal.words).toHaveLength(1);
  expect(journal.words[0]).toMatch(
    /^journalctl --no-pager --quiet --output json --cursor=s=\S+ --lines 202 --unit web\.service --unit db\.service --output-fields MESSAGE,PRIORITY,_SYSTEMD_UNIT,\S+ --all$/,
  );
  journal.words.length = 0;
  expect(await next()).toMatchObject({ lines: [], cursors: answer.cursors });
  expect(journal.words, "one start of the program when nothing is new").toHaveLength(1);
});

test("as many lines are asked for as there is room for, and all of them come", async () => {
  const { journal, follow } = makeLogGround(web);
  const next = follow();
  journal.write(web, "old");
  await next();
  for (let n = 0; n < 7; n += 1) journal.write(web, String(n));
  expect(await next(3)).toMatchObject({ lines: [{ text: "0" }, { text: "1" }, { text: "2" }], more: [0] });
  expect(await next(3)).toMatchObject({ lines: [{ text: "3" }, { text: "4" }, { text: "5" }], more: [0] });
  expect(await next(1)).toMatchObject({ lines: [{ text: "6" }], more: [] });
});

test("an empty journal is followed from its beginning", async () => {
  const { journal, follow } = makeLogGround(web);
  const next = follow();
  expect((await next()).cursors).toEqual(["j1:"]);
  for (let n = 0; n < 3; n += 1) journal.write(web, String(n));
  expect(textsOf(await next(2))).toEqual(["0", "1"]);
  expect(textsOf(await next(2))).toEqual(["2"]);
});

test.each([
  ["bytes that are no text", [0x61, 0xff, 0x1b, 0x5b], "a\ufffd␛["],
  ["two messages", ["one", "two"], "one␊two"],
  ["a message and bytes", ["one", [0x62]], "one␊b"],
  ["nothing", undefined, ""],
  ["a number", 7, ""],
  ["an escape", "\u001b]52;c;eA==\u0007", "␛]52;c;eA==␇"],
  ["more than a line may be", "x".repeat(10_000), expect.stringMatching(/^x{4095}…$/)],
])("%s are shown as text", async (_, message, text) => {
  const { journal, follow } = makeLogGround(web);
  const next = follow();
  await next();
  journal.write(web, message);
  expect(textsOf(await next())).toEqual([text]);
});

test("a message that is larger than what is read is said to be so, and the next one comes", async () => {
  const { journal, follow } = makeLogGround(web);
  const next = follow();
  await next();
  journal.write(web, "before");
  journal.write(web, "x".repeat(2 * 1_024 * 1_024));
  journal.write(web, "after");
  const texts: string[] = [];
  for (let count = 0; count < 3; count += 1) texts.push(...textsOf(await next()));
  expect(texts).toEqual(["before", "(a message that is too long to be read)", "after"]);
});

test("a journal that has let go of the place goes on with its oldest entry, and says that something is lost", async () => {
  const { journal, follow, clock } = makeLogGround(web, db);
  const next = follow();
  journal.write(web, "one");
  await next();
  const from = clock.now();
  clock.advance(1_000);
  journal.write(web, "two");
  journal.write(web, "three");
  journal.vacuum(2);
  const lost = { lines: null, from, to: clock.now() };
  expect(await next()).toMatchObject({
    lines: [{ text: "three" }],
    lost: [
      { s: 0, ...lost },
      { s: 1, ...lost },
    ],
  });
  expect(await next()).toMatchObject({ lines: [], lost: [] });
});

test.each([web, "other.service"])(
  "a journal that is moved from memory to the disk loses nothing and says nothing twice, with a place of %s",
  async (unit) => {
    const { journal, follow } = makeLogGround(web);
    journal.write(unit, "old");
    const next = follow();
    await next();
    journal.flush();
    expect(await next()).toMatchObject({ lines: [], lost: [] });
    journal.write(web, "one");
    journal.flush();
    expect(await next()).toMatchObject({ lines: [{ text: "one" }], lost: [] });
    journal.write(web, "two");
    journal.flush();
    expect(await next(200, true)).toMatchObject({ lost: [{ s: 0, lines: 1 }] });
    expect(await next()).toMatchObject({ lines: [], lost: [] });
  },
);

test("a place that is an entry of another unit is found, and nothing is said to be lost", async () => {
  const { journal, follow } = makeLogGround(web);
  journal.write("other.service", "the newest when it was begun");
  const next = follow();
  await next();
  journal.write(web, "one");
  expect(await next()).toMatchObject({ lines: [{ text: "one" }], lost: [] });
});

test("the place of a unit that is quiet for long does not stay where the journal will be cut", async () => {
  const { journal, follow, clock } = makeLogGround(web);
  journal.write(web, "old");
  const next = follow();
  await next();
  for (let n = 0; n < 5; n += 1) {
    clock.advance(hour + 1);
    journal.write("other.service", String(n));
    await next();
  }
  journal.vacuum(5);
  journal.write(web, "one");
  expect(await next()).toMatchObject({ lines: [{ text: "one" }], lost: [] });
});

test("a unit that root lists later begins at the end, and then all have one place again", async () => {
  const { journal, read } = makeLogGround(web, db);
  journal.write(web, "w0");
  const ask = (places: readonly (string | null)[]) =>
    read({ sources: [web, db].map((source, n) => ({ source, cursor: places[n] ?? null })), lines: 200, skip: false });
  let { cursors } = await ask([null, null]);
  journal.write(db, "before it was listed");
  journal.write(web, "w1");
  const joined = await ask([cursors[0] ?? null, null]);
  expect(textsOf(joined)).toEqual(["w1"]);
  journal.write(db, "d1");
  journal.write(web, "w2");
  const later = await ask(joined.cursors);
  expect(textsOf(later).toSorted()).toEqual(["d1", "w2"]);
  ({ cursors } = await ask(later.cursors));
  expect(cursors[0]).toBe(cursors[1]);
});

test("what is passed over is counted for each unit, with its times", async () => {
  const { journal, follow, clock } = makeLogGround(web, db);
  const next = follow();
  journal.write(web, "old");
  await next();
  const [from] = [clock.now()];
  for (let n = 0; n < 300; n += 1) journal.write(web, String(n));
  clock.advance(1_000);
  journal.write(web, "last");
  journal.write(db, "only");
  const to = clock.now();
  expect(await next(200, true)).toMatchObject({
    lines: [],
    more: [],
    lost: [
      { s: 0, lines: 301, from, to },
      { s: 1, lines: 1, from: to, to },
    ],
  });
  journal.write(db, "new");
  expect(textsOf(await next())).toEqual(["new"]);
});

test("nobody knows how many lines it was when counting took too long or the journal was cut, and the end is where it goes on", async () => {
  const { journal, follow } = makeLogGround(web);
  const next = follow();
  journal.write(web, "old");
  await next();
  journal.write(web, "one");
  journal.write(web, "two");
  journal.vacuum(2);
  expect(await next(200, true)).toMatchObject({ lost: [{ s: 0, lines: null }] });
  journal.write(web, "three");
  journal.slow = true;
  expect(await next(200, true)).toMatchObject({ lost: [{ s: 0, lines: null }] });
  journal.slow = false;
  journal.write(web, "four");
  expect(textsOf(await next())).toEqual(["four"]);
});

test.each([
  [{ code: 1, stderr: "no journal" }, "state.unreadable"],
  [{ code: null, stderr: "not found" }, "state.unreadable"],
  [{ code: null, stderr: "", cut: "time" as const }, "read.limit"],
])(
  "a journal that ends with %j is refused by its code, keeps its place, and files are read all the same",
  async (ran, code) => {
    const { journal, append, follow } = makeLogGround(web, "/var/log/x.log");
    const next = follow();
    journal.write(web, "old");
    const { cursors } = await next();
    journal.failure = ran;
    append("/var/log/x.log", "line\n");
    const answer = await next();
    expect(answer).toMatchObject({ lines: [{ s: 1, text: "line" }], refused: [{ s: 0, code }] });
    expect(answer.cursors[0]).toBe(cursors[0]);
  },
);

test("a place that was made up leads to no unit that is not listed, and reaches no program when it is no place", async () => {
  const { journal, read, clock } = makeLogGround(web);
  journal.write(db, "secret");
  journal.write(web, "of the unit");
  for (const cursor of [
    `j1:${cursorOf(0, 0)}`,
    "j1:",
    `j1:${cursorOf(9, clock.now())}`,
    "j1:--unit=db.service",
    "j1:s=0;x",
  ]) {
    const { lines } = await read({ sources: [{ source: web, cursor }], lines: 200, skip: false });
    expect(["", "of the unit"]).toContain(textsOf({ lines }).join());
  }
  for (const line of journal.words) expect(line).not.toContain("db.service");
});

test("as many places as a server can make up start few programs for one question, and with the turns all units are read", async () => {
  const units = Array.from({ length: 16 }, (_, n) => `web-${n}.service`);
  const { journal, read, clock } = makeLogGround(...units);
  for (const unit of units) {
    clock.advance(1_000);
    journal.write(unit, "old");
  }
  let places = new Map(units.map((unit, n) => [unit, `j1:${journal.entries[n]?.cursor ?? ""}`]));
  clock.advance(1_000);
  for (const unit of units) journal.write(unit, `of ${unit}`);
  const texts: string[] = [];
  for (let turn = 0; turn < 16; turn += 1) {
    const inTurn = [...units.slice(turn), ...units.slice(0, turn)];
    journal.words.length = 0;
    const sources = inTurn.map((source) => ({ source, cursor: places.get(source) ?? null }));
    const answer = await read({ sources, lines: 200, skip: false });
    expect(journal.words.length).toBeLessThanOrEqual(13);
    places = new Map(inTurn.map((source, s) => [source, answer.cursors[s] ?? ""]));
    texts.push(...textsOf(answer));
  }
  expect(texts.toSorted()).toEqual(units.map((unit) => `of ${unit}`).toSorted());
});
