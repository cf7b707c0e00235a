import { expect, test } from "vitest";
import { readLinesOnHost } from "../src/host/read-lines-on-host.ts";
import { runOnHost } from "../src/host/run-on-host.ts";
import { makeLogGround } from "./log-ground.ts";

const bounds = { mostMs: 60_000, mostLineBytes: 1_000 };

async function read(
  program: string,
  args: readonly string[],
  more: Partial<typeof bounds> & { mostBytes?: number } = {},
) {
  const lines: string[] = [];
  const ran = await readLinesOnHost(program, args, { ...bounds, ...more }, (line) => lines.push(line) < 3);
  return { ...ran, lines };
}

test("lines come one by one, and what has no end is none", async () => {
  expect(await read("printf", ["one\\ntwo\\nthr"])).toEqual({ code: 0, stderr: "", lines: ["one", "two"] });
});

test("a program is killed when enough was heard, too much or for too long, and that is told", async () => {
  expect(await read("yes", ["a"])).toMatchObject({ code: null, cut: "enough", lines: ["a", "a", "a"] });
  expect(await read("yes", ["a"], { mostBytes: 3 })).toMatchObject({ cut: "size" });
  expect(await read("yes", ["a".repeat(1_001)])).toMatchObject({ cut: "size", lines: [] });
  expect(await read("sh", ["-c", "yes | tr -d '\\n'"])).toMatchObject({ cut: "size", lines: [] });
  // It would end after an hour.
  expect(await read("sleep", ["3600"], { mostMs: 20 })).toMatchObject({ code: null, cut: "time" });
});

test("a program that is not there or fails says so, and no more than a little of it is kept", async () => {
  expect(await read("gatehouse-no-such-program", [])).toMatchObject({
    code: null,
    stderr: expect.stringMatching(/ENOENT/),
  });
  const failed = await read("sh", ["-c", "yes complaint | head -n 100000 >&2; exit 3"]);
  expect(failed).toMatchObject({ code: 3, lines: [] });
  expect(failed.stderr.length).toBeLessThanOrEqual(4_096);
  expect(failed).not.toHaveProperty("cut");
});

test("nothing of this process's environment reaches a program", async () => {
  const names: string[] = [];
  await readLinesOnHost("env", [], bounds, (line) => names.push(line.slice(0, line.indexOf("="))) > 0);
  expect(names.toSorted()).toEqual(["LC_ALL", "PATH", "SYSTEMD_COLORS", "SYSTEMD_LOG_COLOR", "SYSTEMD_PAGER"]);
});

test("a pipe in place of a log is refused, also as an earlier file of one, and nobody waits for its other end", async () => {
  const { at, follow, append } = makeLogGround("/var/log/pipe", "/var/log/web.log");
  append("/var/log/web.log", "one\n");
  await runOnHost("mkfifo", [at("/var/log/pipe"), at("/var/log/web.log.1")]);
  const next = follow();
  expect(await next()).toMatchObject({ refused: [{ s: 0, code: "path.kind" }] });
  await runOnHost("rm", [at("/var/log/web.log")]);
  append("/var/log/web.log", "two\n");
  expect(await next()).toMatchObject({ lines: [{ s: 1, text: "two" }], lost: [{ s: 1, lines: null }] });
});
