import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { giveInput } from "../tests/support/give-input.ts";

test.each(["", "a line\n"])("a program that does not read its input %j is judged by its exit code", async (input) => {
  const child = spawn("sh", ["-c", "exec <&-; echo closed; exec sleep 600"], { stdio: ["pipe", "pipe", "ignore"] });
  const ended = once(child, "close");
  await once(child.stdout, "data");
  giveInput(child.stdin, input);
  // Without a listener for it, the failed write would end this run of tests here.
  await new Promise((resolve) => child.stdin.once("close", resolve));
  child.kill("SIGKILL");
  expect(await ended).toEqual([null, "SIGKILL"]);
});

test("a program that reads its input gets all of it", async () => {
  const child = spawn("cat", { stdio: ["pipe", "pipe", "ignore"] });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => (said += part));
  giveInput(child.stdin, "all of it\n");
  await once(child, "close");
  expect(said).toBe("all of it\n");
});
