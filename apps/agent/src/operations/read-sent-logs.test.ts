import {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { expect, test } from "vitest";
import { makeLogGround, textsOf } from "../../test/log-ground.ts";
import { parseFileLogPlace } from "./log-place.ts";
import { sentLogLimits } from "./sent-logs.ts";

const log = "/var/log/web.log";

test("what was there before is not sent; what comes is, line by line, and a place at which nothing is new stays", async () => {
  const { append, follow, clock } = makeLogGround(log);
  append(log, "old\nbeg");
  const next = follow();
  const begun = await next();
  expect(begun).toMatchObject({ lines: [], more: [], lost: [], refused: [] });
  append(log, "un\ntwo\nthr");
  const at = clock.now();
  clock.advance(5_000);
  const answer = await next();
  expect(answer.lines).toEqual([
    { s: 0, at, level: null, text: "begun" },
    { s: 0, at, level: null, text: "two" },
  ]);
  const quiet = await next();
  expect(quiet).toMatchObject({ lines: [], cursors: answer.cursors, more: [], lost: [] });
  append(log, "ee\n");
  expect(textsOf(await next())).toEqual(["three"]);
});

test("a file that comes later is sent from its beginning, also when it was rotated meanwhile", async () => {
  const { append, follow, rotate, clock } = makeLogGround(log);
  const next = follow();
  expect(await next()).toMatchObject({ lines: [], lost: [], refused: [] });
  clock.advance(1_000);
  append(log, "one\n");
  rotate(log);
  append(log, "two\n");
  expect(await next()).toMatchObject({ lines: [{ text: "one" }, { text: "two" }], lost: [] });
});

test("an answer has so many lines and no more, and says who has more", async () => {
  const { append, follow } = makeLogGround(log, "/var/log/other.log");
  const next = follow();
  await next();
  append(log, "a\nb\nc\n");
  append("/var/log/other.log", "d\n");
  expect(await next(2)).toMatchObject({ lines: [{ text: "a" }, { text: "b" }], more: [0, 1] });
  expect(await next(2)).toMatchObject({ lines: [{ text: "c" }, { text: "d", s: 1 }], more: [] });
});

test("an answer is one message, however long its lines are, and all of them come", async () => {
  const { append, follow } = makeLogGround(log);
  const next = follow();
  await next();
  append(log, Array.from({ length: 300 }, (_, n) => `${n} ${"\u0001".repeat(4_000)}\n`).join(""));
  const texts: string[] = [];
  for (let isMore = true; isMore; ) {
    const answer = await next();
    expect(Buffer.byteLength(JSON.stringify(answer.lines))).toBeLessThanOrEqual(sentLogLimits.answerBytes + 2);
    texts.push(...textsOf(answer));
    isMore = answer.more.length > 0;
  }
  expect(texts.map((text) => Number.parseInt(text, 10))).toEqual(Array.from({ length: 300 }, (_, n) => n));
});

test("a line without an end is sent cut when it is too long, and the next one is whole", async () => {
  const { append, follow } = makeLogGround(log);
  const next = follow();
  await next();
  append(log, "x".repeat(60_000));
  expect(textsOf(await next())).toEqual([]);
  append(log, "x".repeat(500_000));
  const texts: string[] = [];
  for (let count = 0; count < 4; count += 1) texts.push(...textsOf(await next()));
  append(log, "still the same line\nnext\n");
  texts.push(...textsOf(await next()));
  expect(texts).toEqual([expect.stringMatching(/^x{4095}…$/), "next"]);
});

test("a renamed file is read to its end before the new one, and stays open until somebody writes to that", async () => {
  const { append, follow, rotate } = makeLogGround(log);
  const next = follow();
  await next();
  append(log, "one\n");
  await next();
  append(log, "two\n");
  rotate(log);
  append(log, "");
  expect(textsOf(await next())).toEqual(["two"]);
  append(`${log}.1`, "late\nlast without its end");
  expect(textsOf(await next()), "whoever writes has not opened the new one").toEqual(["late"]);
  append(log, "three\n");
  expect(await next()).toMatchObject({
    lines: [{ text: "last without its end" }, { text: "three" }],
    lost: [],
  });
});

test.each([
  ["web.log.1"],
  ["web.log-20260101"],
  ["web.log.2026-01-01_12"],
  ["web.log.old"],
  ["web-20260101.log"],
  ["web.2026-01-01-12.log"],
])("the earlier file is found as %s", async (name) => {
  const { append, follow, at } = makeLogGround(log);
  append(log, "old\n");
  const next = follow();
  await next();
  append(log, "one\n");
  renameSync(at(log), at(`/var/log/${name}`));
  append(log, "two\n");
  expect(await next()).toMatchObject({ lines: [{ text: "one" }, { text: "two" }], lost: [] });
});

test("files that came and went between are read in their order, within what an answer has room for", async () => {
  const { append, follow, rotate, clock } = makeLogGround(log);
  const next = follow();
  await next();
  for (let n = 0; n < 12; n += 1) {
    append(log, `${n}\n`);
    if (n % 3 === 2) rotate(log);
    if (n % 2 === 0) clock.advance(1_000);
  }
  append(log, "12\n");
  const texts: string[] = [];
  for (let count = 0; count < 13; count += 1) texts.push(...textsOf(await next(1)));
  expect(texts.map(Number)).toEqual(Array.from({ length: 13 }, (_, n) => n));
});

test.each([
  ["is gone", ["new"]],
  ["was compressed", ["new"]],
  ["was renamed to what rotation does not say", ["new"]],
])("an earlier file that %s is told as lost, once", async (how, texts) => {
  const { append, follow, at, clock } = makeLogGround(log);
  const next = follow();
  append(log, "one\n");
  await next();
  const from = clock.now();
  append(log, "unread\n");
  if (how === "is gone") unlinkSync(at(log));
  else renameSync(at(log), at(`${log}.${how === "was compressed" ? "1.gz" : "secret"}`));
  append(log, "new\n");
  const answer = await next();
  expect(textsOf(answer)).toEqual(texts);
  expect(answer.lost).toEqual([{ s: 0, lines: null, from, to: clock.now() }]);
  expect(await next()).toMatchObject({ lines: [], lost: [] });
});

test("a log that goes and does not come again is told as lost once", async () => {
  const { append, follow, at } = makeLogGround(log);
  const next = follow();
  append(log, "one\n");
  await next();
  unlinkSync(at(log));
  expect(await next()).toMatchObject({ lost: [{ lines: null }], refused: [] });
  expect(await next()).toMatchObject({ lost: [], refused: [] });
  append(log, "two\n");
  expect(await next()).toMatchObject({ lines: [{ text: "two" }], lost: [] });
});

test("a file that was emptied in its place is read from its beginning, also when it is longer again than it was", async () => {
  const { append, follow, empty } = makeLogGround(log);
  const next = follow();
  append(log, "first\n");
  await next();
  empty(log);
  expect(await next()).toMatchObject({ lines: [], lost: [{ lines: null }] });
  expect(await next()).toMatchObject({ lines: [], lost: [] });
  append(log, "second\n");
  expect(textsOf(await next())).toEqual(["second"]);
  empty(log);
  append(log, "third and fourth\n");
  expect(await next()).toMatchObject({ lines: [{ text: "third and fourth" }], lost: [{ lines: null }] });
  expect(await next()).toMatchObject({ lines: [], lost: [] });
});

test("what is passed over is counted, over rotation too, and a line that is being written is not", async () => {
  const { append, follow, rotate, clock } = makeLogGround(log);
  const next = follow();
  await next();
  const from = clock.now();
  append(log, "a\nb\nc\n");
  rotate(log);
  clock.advance(1_000);
  append(log, `d\n${"x".repeat(100_000)}\nf\nhalf`);
  expect(await next(200, true)).toMatchObject({
    lines: [],
    more: [],
    lost: [{ s: 0, lines: 6, from, to: clock.now() }],
  });
  expect(await next(200, true)).toMatchObject({ lost: [] });
  append(log, " a line\n");
  expect(textsOf(await next())).toEqual(["half a line"]);
});

test("of more than may be passed over at once nobody knows how many lines it was", async () => {
  const { append, follow } = makeLogGround(log);
  const next = follow();
  await next();
  const piece = "x\n".repeat(512 * 1_024);
  for (let count = 0; count * piece.length <= sentLogLimits.passedBytes; count += 1) append(log, piece);
  append(log, "last\n");
  expect(await next(200, true)).toMatchObject({ lost: [{ lines: null }] });
  append(log, "new\n");
  expect(textsOf(await next())).toEqual(["new"]);
});

test("nothing but a plain file of one name is read, on no link; each is refused by its code, and the others are sent", async () => {
  const names = ["link", "second", "directory", "way/x", "good"];
  const paths = names.map((name) => `/var/log/${name}`);
  const { append, follow, at, read } = makeLogGround(...paths);
  append("/var/lib/secret", "secret\n");
  append("/var/log/good", "");
  symlinkSync("../lib/secret", at("/var/log/link"));
  linkSync(at("/var/lib/secret"), at("/var/log/second"));
  mkdirSync(at("/var/log/directory"));
  symlinkSync("../lib", at("/var/log/way"));
  const next = follow();
  const begun = await next();
  append("/var/log/good", "good\n");
  const refused = ["path.symlink", "path.kind", "path.kind", "path.symlink"];
  expect(begun.refused.map(({ s, code }) => [s, code])).toEqual(refused.map((code, s) => [s, code]));
  expect(begun.cursors.slice(0, 4)).toEqual([null, null, null, null]);
  expect(await next()).toMatchObject({ lines: [{ s: 4, text: "good" }] });
  // As somebody makes them up who wants the file from its beginning.
  const place = begun.cursors[4] ?? null;
  const forged = await read({ sources: paths.map((source) => ({ source, cursor: place })), lines: 200, skip: false });
  expect(textsOf(forged)).toEqual(["good"]);
});

test("a place that was made up leads to no file but the log and its earlier ones", async () => {
  const { append, read, at, host } = makeLogGround(log);
  append(log, "of the log\n");
  append("/var/log/web.log-secret", "secret\n");
  append("/var/log/web.log.d/1", "secret\n");
  append("/var/log/other.log", "secret\n");
  symlinkSync("../lib/secret", at("/var/log/web.log.1"));
  append("/var/lib/secret", "secret\n");
  linkSync(at("/var/lib/secret"), at("/var/log/web.log.2"));
  const ask = async (cursor: string) => read({ sources: [{ source: log, cursor }], lines: 200, skip: false });
  const empty = "e3b0c44298fc1c14";
  const names = readdirSync(host.root, { recursive: true, encoding: "utf8" });
  const inodes = names.map((name) => String(lstatSync(at(name), { bigint: true }).ino));
  for (const inode of ["0", "1", "99999999999999999999", ...inodes]) {
    for (const offset of ["0", "999999999999999"]) {
      const texts = textsOf(await ask(`f1:${inode}:${offset}:l:0:${empty}:0`));
      expect(["", "of the log"], inode).toContain(texts.join());
    }
  }
});

test.each([
  "",
  "nonsense",
  "x".repeat(512),
  "f1:1:1:l:0:0:0",
  "f2:1:1:l:0:0000000000000000:0",
  "../../etc/shadow",
  "j1:",
])("with %j for a place a log is followed from its end", async (cursor) => {
  const { append, read } = makeLogGround(log);
  append(log, "old\n");
  const answer = await read({ sources: [{ source: log, cursor }], lines: 200, skip: false });
  expect(answer).toMatchObject({ lines: [], refused: [] });
  expect(parseFileLogPlace(answer.cursors[0] ?? "")).toMatchObject({ offset: 4 });
});

test("what is not in the ceiling now is refused before anything is read", async () => {
  const { append, follow, held, journal, clock } = makeLogGround(log, "a.service");
  const next = follow();
  await next();
  append(log, "one\n");
  clock.advance(1);
  journal.words.length = 0;
  held.ceiling = { schema: 1, level: "monitor", send: { logs: [log] }, read: { logs: ["a.service"] } };
  await expect(next()).rejects.toThrow(/^read\.ceiling: a\.service/);
  expect(journal.words).toEqual([]);
  await expect(follow(["/etc/shadow"])()).rejects.toThrow(/^read\.ceiling: \/etc\/shadow/);
  await expect(follow([`${log}.1`])()).rejects.toThrow(/^read\.ceiling/);
});

test("Gatehouse's own files are not read, whatever a ceiling says", async () => {
  const { append, follow } = makeLogGround("/var/lib/gatehouse/host.key");
  append("/var/lib/gatehouse/host.key", "secret\n");
  expect(await follow()()).toMatchObject({ lines: [], refused: [{ s: 0, code: "ceiling.protected" }] });
});

test("a question beside one that is not answered is refused: readers do not gather before a disk that stands still", async () => {
  const { follow, journal } = makeLogGround("a.service");
  journal.hold();
  const first = follow()();
  await expect(follow()()).rejects.toThrow(/^local\.limit/);
  journal.release();
  expect(await first).toMatchObject({ refused: [] });
  expect(await follow()()).toMatchObject({ refused: [] });
});

test("a log that cannot be read for another reason is refused, and the reason is no line of it", async () => {
  const { append, follow, at } = makeLogGround(log);
  append(log, "x\n");
  const next = follow();
  await next();
  rmSync(at("/var/log"), { recursive: true });
  writeFileSync(at("/var/log"), "");
  expect(await next()).toMatchObject({ lines: [], refused: [{ s: 0, code: "path.kind" }] });
});
