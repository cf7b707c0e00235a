import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeResult, healthResult } from "@gatehouse/contract/broker";
import { readPlanDraft } from "@gatehouse/plan";
import { buildArtifact } from "@gatehouse/plugin-sdk/build";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runOnWire } from "../../packages/plugin-sdk/src/wire-cases.ts";
import { sampleQuestion as firewallQuestion } from "../../plugins/netguard/test/sample-input.ts";
import { sampleQuestion as networkQuestion } from "../../plugins/wireguard/test/sample-input.ts";
import { root } from "../repository.ts";
import { bundlePlugin } from "./bundle-plugin.ts";

const directory = mkdtempSync(join(tmpdir(), "gatehouse-artifacts-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const build = (id: string, out: string) =>
  buildArtifact(bundlePlugin, {
    entry: join(root, "plugins", id, "src/main.ts"),
    description: join(root, "plugins", id, "plugin.json"),
    out: join(directory, out),
  });

describe.each([
  { id: "netguard", version: "0.2.1", question: firewallQuestion },
  { id: "wireguard", version: "0.3.0", question: networkQuestion },
])("the artifact of $id", ({ id, version, question }) => {
  let artifact = "";
  let text = "";
  beforeAll(async () => {
    ({ artifact } = await build(id, id));
    text = readFileSync(artifact, "utf8");
  });

  test("is one program that imports nothing, with nothing of this machine in it", () => {
    expect(text.startsWith("#!/usr/bin/env node\n")).toBe(true);
    expect(statSync(artifact).mode & 0o777).toBe(0o755);
    expect(text).not.toContain(root);
    expect(text).not.toMatch(/^import |\brequire\(/m);
    expect(text.length).toBeLessThan(512 * 1024);
  });

  test("has the same bytes when it is built again", async () => {
    const again = await build(id, `${id}-again`);
    expect(readFileSync(again.artifact, "utf8")).toBe(text);
    expect(again.size).toBe(Buffer.byteLength(text));
  });

  test("answers its three actions as a program of its own", async () => {
    expect(describeResult.parse((await runOnWire([artifact], "describe")).result)).toMatchObject({ version });
    expect(healthResult.parse((await runOnWire([artifact], "health")).result)).toEqual({ status: "ok" });
    const one = await runOnWire([artifact], "plan", question);
    expect(readPlanDraft(one.result)).toMatchObject({ ok: true });
    expect(one).toMatchObject({ code: 0, stderr: "" });
    expect((await runOnWire([artifact], "plan", question)).result).toEqual(one.result);
  });

  test("refuses an input it does not know, in words", async () => {
    const run = await runOnWire([artifact], "plan", { ...question, input: { nodes: [] } });
    expect(run.error).toMatchObject({ code: 1, message: expect.stringMatching(/^[\x20-\x7e]+$/) as string });
  });
});

test("an artifact that would need another file is not made", async () => {
  const bundle = async () => ({ code: "", imports: ["node:util", "left-pad"] });
  const options = { entry: "x", description: "x", out: join(directory, "none") };
  await expect(buildArtifact(bundle, options)).rejects.toThrow("it cannot import left-pad");
});

test("a link in the way is replaced and not followed", async () => {
  const precious = join(directory, "precious");
  writeFileSync(precious, "mine");
  const { artifact } = await build("netguard", "linked");
  rmSync(artifact);
  symlinkSync(precious, artifact);
  await build("netguard", "linked");
  expect(readFileSync(precious, "utf8")).toBe("mine");
  expect(statSync(artifact).size).toBeGreaterThan(1_000);
});
