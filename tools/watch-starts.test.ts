import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { watchStarts } from "./watch-starts.ts";

test("programs and threads are seen when they are started, and told once", async () => {
  const starts = watchStarts();
  onTestFinished(() => starts.close());
  await Promise.all([once(spawn("true"), "close"), once(new Worker("", { eval: true }), "exit")]);
  expect(starts.take()).toEqual(["a process", "a thread"]);
  expect(starts.take()).toEqual([]);
});

test("what ends within the call that starts it is not, and after closing nothing is", async () => {
  const starts = watchStarts();
  execFileSync("true");
  expect(starts.take()).toEqual([]);
  starts.close();
  await once(spawn("true"), "close");
  expect(starts.take()).toEqual([]);
});
