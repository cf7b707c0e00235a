import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describeResult, healthResult } from "@gatehouse/contract/broker";
import { readPlanDraft } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { runOnWire } from "./wire-cases.ts";

const file = join(import.meta.dirname, "../examples/hello.sh");
const hello = ["sh", file] as const;
const nodes = ["0", "1"].map((end) => ({
  id: `node_${"0".repeat(25)}${end}`,
  name: `{"id":"node_${end}"}`,
  tags: [],
  addresses: [],
  states: [{ subject: "file:/etc/motd", state: "absent" as const }],
}));

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

  const input = { nodes: [{ id: `node_${"9".repeat(26)}` }] };
  const planned = await runOnWire(hello, "plan", { input, nodes, store });
  expect(readPlanDraft(planned.result)).toMatchObject({
    ok: true,
    value: { sections: nodes.map(({ id }) => ({ node: id, operations: [{ text: "hello\n" }] })) },
  });
  expect(planned.calls).toEqual([{ method: "kv.put", params: { key: "greeting", value: "A greeting was planned." } }]);
  expect(planned).toMatchObject({ code: 0, stderr: "" });
  expect((await runOnWire(hello, "plan", { nodes })).result).toEqual(planned.result);

  const after = await runOnWire(hello, "describe", { store });
  expect(after.result).toMatchObject({ summary: "A greeting was planned." });
});

test("it refuses a question without nodes", async () => {
  const run = await runOnWire(hello, "plan", { input: { node: "; rm -rf /" } });
  expect(run.error).toEqual({ code: 1, message: "nodes: expected at least one" });
});
