import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ActionName, Capability } from "@gatehouse/contract";
import type { PlanQuestion } from "@gatehouse/contract/broker";
import { afterAll, describe, expect, test } from "vitest";
import { describeRun } from "./describe-run.ts";
import { openHarness } from "./open-harness.ts";

const directory = mkdtempSync(join(tmpdir(), "gatehouse-harness-test-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const hello = join(import.meta.dirname, "../../examples/hello.sh");
const node = `node_${"0".repeat(26)}`;
const forNode: PlanQuestion = {
  input: null,
  nodes: [{ id: node, name: "web-1", tags: [], addresses: [], states: [] }],
};
const all: readonly Capability[] = ["kv:read", "kv:write", "log:write", "host:file"];

/** Whatever sandbox this machine offers: what is tested here holds on every level. */
async function run(
  artifact: string,
  action: ActionName,
  { question, capabilities = all }: { question?: PlanQuestion; capabilities?: readonly Capability[] } = {},
) {
  const harness = await openHarness({ artifact, capabilities, store: new Map(), least: "none" });
  try {
    return await harness.run(action, question);
  } finally {
    await harness.close();
  }
}

function script(...lines: readonly string[]): string {
  const path = join(directory, "artifact");
  writeFileSync(path, `#!/bin/sh\n${lines.join("\n")}\n`, { mode: 0o755 });
  return path;
}

describe("the harness", () => {
  test("runs a plugin as a server would and shows its calls", async () => {
    const ran = await run(hello, "plan", { question: forNode });
    expect(ran.trouble).toBeUndefined();
    expect(ran.result).toMatchObject({ title: "Greet whoever signs in" });
    const [heading, call] = describeRun(ran);
    expect(heading).toMatch(/^plan: ok \(\d+ ms, (\d+ MiB, )?1 broker call\)$/);
    expect(call).toBe('  kv.put  {"key":"greeting","value":"A greeting was planned."} → {}');
  });

  test("keeps what a plugin stores between its actions", async () => {
    const store = new Map<string, string>();
    const harness = await openHarness({ artifact: hello, capabilities: all, store, least: "none" });
    try {
      await harness.run("plan", forNode);
      expect((await harness.run("describe")).result).toMatchObject({ summary: "A greeting was planned." });
    } finally {
      await harness.close();
    }
  });

  test("refuses calls and plans that the manifest does not cover", async () => {
    const health = await run(hello, "health", { capabilities: [] });
    expect(health.calls).toMatchObject([{ answer: { refused: "broker.capability_missing" } }]);
    expect(health.result).toMatchObject({ status: "degraded" });
    const plan = await run(hello, "plan", { question: forNode, capabilities: ["kv:write"] });
    expect(plan.trouble).toBe("its plan holds file.write, which needs the capability host:file");
  });

  test("notices a plan that is another one each time", async () => {
    const operation = { kind: "service.restart", unit: "a.service" };
    const sections = [{ node, operations: [operation] }];
    const result = { title: "plan NOW", summary: "s", sections };
    const answer = JSON.stringify({ jsonrpc: "2.0", id: 0, result });
    const artifact = script("read -r line", `printf '%s\\n' '${answer}' | sed "s/NOW/$(date +%s%N)/"`);
    const ran = await run(artifact, "plan", { question: forNode, capabilities: ["host:service"] });
    expect(ran.trouble).toBe("the same question gave another plan the second time");
    expect(ran.result).toBeUndefined();
  });

  test.each([
    ["says nothing", ["exit 0"], /ended without an answer/],
    ["leaves with an error", ["echo broken >&2; exit 3"], /3/],
    ["prints on the wire", ["echo hello"], /not strict JSON/],
    [
      "answers twice",
      [
        `echo '{"jsonrpc":"2.0","id":0,"result":{"status":"ok"}}'`,
        `echo '{"jsonrpc":"2.0","id":0,"result":{"status":"ok"}}'`,
      ],
      /after its answer/,
    ],
    [
      "answers something else",
      [`echo '{"jsonrpc":"2.0","id":0,"result":{"status":"fine"}}'`],
      /its answer is not one: \/status/,
    ],
    ["refuses", [`echo '{"jsonrpc":"2.0","id":0,"error":{"code":1,"message":"no"}}'`], /answered with an error: no/],
    [
      "calls for ever",
      [
        `i=0; while [ $i -lt 70 ]; do i=$((i+1)); echo '{"jsonrpc":"2.0","id":'$i',"method":"kv.get","params":{"key":"a"}}'; done`,
      ],
      /more than 64 broker calls/,
    ],
  ])("says what is wrong with a plugin that %s", async (_, lines, trouble) => {
    const ran = await run(script("read -r line", ...lines), "health");
    expect(ran.trouble).toMatch(trouble);
    expect(describeRun(ran)[0]).toMatch(/^health: failed: /);
  });
});
