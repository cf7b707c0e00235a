import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describeResult, healthResult } from "@gatehouse/contract/broker";
import { readPlanDraft } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { runOnWire } from "./wire-cases.ts";

const file = join(import.meta.dirname, "../examples/hello.sh");
const hello = ["sh", file] as const;
const node = `node_${"0".repeat(26)}`;

test("the shell plugin is shorter than sixty lines and starts as an artifact does", () => {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  expect(lines[0]).toBe("#!/bin/sh");
  expect(lines.length).toBeLessThan(60);
});

test("it answers all three actions without any library", async () => {
  const store = new Map<string, string>();
  const before = await runOnWire(hello, "describe", { store });
  expect(describeResult.parse(before.result)).toMatchObject({ name: "Hello", summary: "Nothing was planned yet." });
  expect(healthResult.parse((await runOnWire(hello, "health")).result)).toEqual({ status: "ok" });

  const planned = await runOnWire(hello, "plan", { input: { node }, store });
  expect(readPlanDraft(planned.result)).toMatchObject({ ok: true });
  expect(planned.calls).toEqual([{ method: "kv.put", params: { key: "greeting", value: "A greeting was planned." } }]);
  expect(planned).toMatchObject({ code: 0, stderr: "" });
  expect((await runOnWire(hello, "plan", { input: { node } })).result).toEqual(planned.result);

  const after = await runOnWire(hello, "describe", { store });
  expect(after.result).toMatchObject({ summary: "A greeting was planned." });
});

test("it refuses an input it does not know", async () => {
  const run = await runOnWire(hello, "plan", { input: { node: "; rm -rf /" } });
  expect(run.error).toEqual({ code: 1, message: "node: expected the id of a node" });
});
