import { copyFileSync, renameSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { makeLogGround, textsOf } from "../../test/log-ground.ts";

const log = "/var/log/web.log";
/** Longer than what a place has a digest of. */
const history = Array.from({ length: 50 }, (_, n) => `history ${n}\n`).join("");

/** A log with lines of before, of which one line was sent since. */
async function startRead(before = history) {
  const ground = makeLogGround(log);
  const { append, at, clock, follow } = ground;
  append(log, before);
  const next = follow();
  await next();
  append(log, "one\n");
  expect(textsOf(await next())).toEqual(["one"]);
  /** As somebody copies a file: the copy is the newest of all. */
  const copy = (from: string, to: string) => {
    clock.advance(1_000);
    copyFileSync(at(from), at(to));
    utimesSync(at(to), clock.now() / 1_000, clock.now() / 1_000);
  };
  return { ...ground, next, copy };
}

test.each(["web.log.bak", "web.log.old", "web.log.2", "web.log-20260102", "web-20260102.log"])(
  "a copy of the renamed file as %s sends nothing of it again, while the new one is empty and after",
  async (name) => {
    const { append, rotate, copy, next } = await startRead();
    append(log, "two\n");
    rotate(log);
    append(log, "");
    expect(textsOf(await next())).toEqual(["two"]);
    copy(`${log}.1`, `/var/log/${name}`);
    const quiet = await next();
    expect(quiet).toMatchObject({ lines: [], lost: [] });
    append(`${log}.1`, "late\n");
    append(log, "three\n");
    expect(await next()).toMatchObject({ lines: [{ text: "late" }, { text: "three" }], lost: [] });
  },
);

test.each([
  ["web.log.1", "web.log.2"],
  ["web.log-20260102", "web.log-20260101"],
  ["web-20260102.log", "web-20260101.log"],
])("beside %s what has the name %s is not read, however new it is, and may have been missed", async (name, old) => {
  const { append, at, next } = await startRead();
  renameSync(at(log), at(`/var/log/${name}`));
  append(log, "");
  append(`/var/log/${old}`, "of a day before, unpacked by somebody\n");
  expect(await next()).toMatchObject({ lines: [], lost: [] });
  append(log, "two\n");
  expect(await next()).toMatchObject({ lines: [{ text: "two" }], lost: [{ lines: null }] });
  expect(await next()).toMatchObject({ lines: [], lost: [] });
});

test("an earlier file that was there before is not read because somebody writes to it late, also when the log is another file by then", async () => {
  const { append, rotate, at, next, clock } = await startRead();
  rotate(log);
  append(log, "two\n");
  // Later than the machine has made any of these files.
  clock.advance(200 * 365 * 86_400_000);
  expect(textsOf(await next())).toEqual(["two"]);
  append(`${log}.1`, "late\n");
  renameSync(at(log), at("/var/log/gone"));
  append(log, "three\n");
  expect(await next()).toMatchObject({ lines: [{ text: "three" }], lost: [{ lines: null }] });
});

test("what was compressed between is told as lost once, when the new file has a line", async () => {
  const { append, rotate, next } = await startRead();
  rotate(log);
  rotate(log);
  append(`${log}.1.gz`, "packed");
  append(log, "");
  expect(await next()).toMatchObject({ lines: [], lost: [] });
  append(log, "two\n");
  expect(await next()).toMatchObject({ lines: [{ text: "two" }], lost: [{ lines: null }] });
  expect(await next()).toMatchObject({ lines: [], lost: [] });
});

test("the renamed file that is copied back under the name of the log is gone on with behind what was read", async () => {
  const { append, rotate, copy, next } = await startRead();
  append(log, "two\n");
  rotate(log);
  copy(`${log}.1`, log);
  append(log, "three\n");
  expect(await next()).toMatchObject({ lines: [{ text: "two" }, { text: "three" }], lost: [] });
});

test("lines that are the same in every file of a log are no copies of each other", async () => {
  const { append, rotate, next } = await startRead("one\n".repeat(100));
  rotate(log);
  append(log, "one\none\n");
  expect(textsOf(await next())).toEqual(["one", "one"]);
});

test("files of a log that all begin with the same words are read one after the other", async () => {
  const head = `# ${"x".repeat(400)}\n`;
  const { append, rotate, next } = await startRead(`${head}before\n`);
  for (const line of ["two", "three", "four"]) {
    rotate(log);
    append(log, `${head}${line}\n`);
  }
  const texts = textsOf(await next()).filter((text) => !text.startsWith("#"));
  expect(texts).toEqual(["two", "three", "four"]);
});

test("a copy that was made before the log was emptied is read from where the log was, when the log itself is another file by then", async () => {
  const { append, copy, empty, at, next } = await startRead();
  append(log, "two\n");
  copy(log, `${log}.1`);
  empty(log);
  // Moved and not removed: the number of the file stays taken.
  renameSync(at(log), at("/var/log/gone"));
  append(log, "three\n");
  expect(await next()).toMatchObject({ lines: [{ text: "two" }, { text: "three" }], lost: [{ lines: null }] });
  expect(await next()).toMatchObject({ lines: [], lost: [] });
});

test("what an editor or a restore has put under the name of the log is gone on with at the same place", async () => {
  const { append, copy, at, next } = await startRead();
  append(log, "two\n");
  copy(log, "/var/log/web.log~");
  renameSync(at("/var/log/web.log~"), at(log));
  expect(await next()).toMatchObject({ lines: [{ text: "two" }], lost: [] });
  append(log, "three\n");
  expect(await next()).toMatchObject({ lines: [{ text: "three" }], lost: [] });
});

test.each(["in its place", "by another file"])(
  "a log that was made shorter %s is gone on with at its end, and something is told as lost",
  async (how) => {
    const { append, copy, at, next, clock } = await startRead();
    append(log, "two\nthree\n");
    const from = clock.now() - 1_000;
    expect(textsOf(await next())).toEqual(["two", "three"]);
    if (how === "by another file") {
      copy(log, "/var/log/web.log~");
      renameSync(at("/var/log/web.log~"), at(log));
    }
    // In the middle of a line, as a power cut does it.
    truncateSync(at(log), history.length + "one\ntw".length);
    const answer = await next();
    expect(answer).toMatchObject({ lines: [], lost: [{ lines: null, to: clock.now() }] });
    expect(answer.lost[0]?.from).toBeGreaterThanOrEqual(from);
    expect(await next()).toMatchObject({ lines: [], cursors: answer.cursors, lost: [] });
    append(log, "ice\nfour\n");
    expect(await next()).toMatchObject({ lines: [{ text: "twice" }, { text: "four" }], lost: [] });
  },
);

test("of a log that was cut within its first line nothing is sent again but what comes", async () => {
  const { append, at, next } = await startRead(`${"x".repeat(1_000)}\n`);
  truncateSync(at(log), 500);
  expect(await next()).toMatchObject({ lines: [], lost: [{ lines: null }] });
  append(log, "rest\ntwo\n");
  expect(textsOf(await next())).toEqual(["two"]);
});

test("a renamed file that was made shorter has no more to say, and the new one is read", async () => {
  const { append, rotate, at, next } = await startRead();
  rotate(log);
  truncateSync(at(`${log}.1`), history.length);
  append(log, "two\n");
  expect(await next()).toMatchObject({ lines: [{ text: "two" }], lost: [{ lines: null }] });
});

test.each(["at once", "when it was seen to be empty"])(
  "a log that was emptied and is written again is read from its beginning, %s, however short it is",
  async (when) => {
    const { append, empty, next } = await startRead();
    empty(log);
    if (when !== "at once") expect(await next()).toMatchObject({ lines: [], lost: [{ lines: null }] });
    append(log, "a\n");
    expect(textsOf(await next())).toEqual(["a"]);
    append(log, `${history}b\n`);
    expect(textsOf(await next()).at(-1)).toBe("b");
  },
);

test("a log that was copied and emptied is read from its beginning, and its copy is not", async () => {
  const { append, empty, copy, next } = await startRead();
  append(log, "two\n");
  expect(textsOf(await next())).toEqual(["two"]);
  copy(log, `${log}.1`);
  empty(log);
  append(log, `2026 three\n${"2026 four\n".repeat(200)}`);
  expect(textsOf(await next())).toEqual(["2026 three", ...Array.from({ length: 199 }, () => "2026 four")]);
});

test("a name that people give to copies is not read where the log was not seen before, and may have been it", async () => {
  const { append, at, follow } = makeLogGround(log);
  const next = follow();
  await next();
  append(log, "one\n");
  renameSync(at(log), at(`${log}.old`));
  append(log, "two\n");
  expect(await next()).toMatchObject({ lines: [{ text: "two" }], lost: [{ lines: null }] });
  expect(await next()).toMatchObject({ lines: [], lost: [] });
});

test("two rotations to names with a date before the extension are read, and other logs of such names are not", async () => {
  const { append, at, next } = await startRead();
  append("/var/log/web-2.log", "of another\n");
  append("/var/log/web-20251231.log", "before\n");
  for (const [day, line] of [
    ["20260101", "two"],
    ["20260102", "three"],
  ]) {
    append(log, `${line}\n`);
    renameSync(at(log), at(`/var/log/web-${day}.log`));
  }
  append(log, "four\n");
  expect(await next()).toMatchObject({ lines: [{ text: "two" }, { text: "three" }, { text: "four" }], lost: [] });
});

test("a log with thousands of earlier files is found among those that rotation has named last", async () => {
  const { append, rotate, at, next } = await startRead();
  append(log, "two\n");
  rotate(log);
  for (let n = 2; n < 3_000; n += 1) writeFileSync(at(`${log}.${n}`), `${n}\n`);
  for (let n = 2; n < 3_000; n += 1) utimesSync(at(`${log}.${n}`), 1_000, 1_000);
  append(log, "three\n");
  expect(await next()).toMatchObject({ lines: [{ text: "two" }, { text: "three" }], lost: [] });
});
