import { join } from "node:path";
import { expect, test } from "vitest";
import { runOnHost } from "../src/host/run-on-host.ts";
import { readFileState } from "../src/operations/read-file-state.ts";
import { makeStateGround } from "./state-ground.ts";

test("a program that takes too long is ended, and that is told", async () => {
  // It would end after an hour.
  expect(await runOnHost("sleep", ["3600"], 20)).toMatchObject({ code: null, cut: "time" });
});

test("a program that does not stop talking is ended, and that is told", async () => {
  expect(await runOnHost("yes", [])).toMatchObject({ code: null, cut: "size" });
});

test("a program that is not there, or fails, was not ended by anybody", async () => {
  expect(await runOnHost("gatehouse-no-such-program", [])).not.toHaveProperty("cut");
  const failed = await runOnHost("false", []);
  expect(failed).toMatchObject({ code: 1 });
  expect(failed).not.toHaveProperty("cut");
});

test("nothing of this process's environment reaches a program", async () => {
  const { stdout } = await runOnHost("env", []);
  const names = stdout
    .trim()
    .split("\n")
    .map((line) => line.slice(0, line.indexOf("=")));
  expect(names.toSorted()).toEqual(["LC_ALL", "PATH", "SYSTEMD_COLORS", "SYSTEMD_LOG_COLOR", "SYSTEMD_PAGER"]);
});

test("a pipe in place of a file is refused, and nobody waits for its other end", async () => {
  const { ground, host } = makeStateGround();
  await runOnHost("mkfifo", [join(host.root, "etc/pipe")]);
  await expect(readFileState(ground, "/etc/pipe")).rejects.toThrow(/^path\.kind/);
});
