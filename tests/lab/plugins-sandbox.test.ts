import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Capability } from "@gatehouse/contract";
import { buildArtifact } from "@gatehouse/plugin-sdk/build";
import { describeRun, type Harness, openHarness } from "@gatehouse/plugin-sdk/harness";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleQuestion as firewallQuestion } from "../../plugins/netguard/test/sample-input.ts";
import { sampleQuestion as networkQuestion } from "../../plugins/wireguard/test/sample-input.ts";
import { bundlePlugin } from "../../tools/build/bundle-plugin.ts";
import { stopMs } from "../support/stopped.ts";
import { repository } from "./image.ts";

/** The built artifacts in a real sandbox, with the Node of the system and what their manifests declare. */
const directory = mkdtempSync(join(tmpdir(), "gatehouse-artifacts-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe.each([
  { id: "netguard", question: firewallQuestion },
  { id: "wireguard", question: networkQuestion },
])("$id in the sandbox", ({ id, question }) => {
  let harness: Harness;
  const store = new Map<string, string>();
  beforeAll(async () => {
    const home = join(repository, "plugins", id);
    const description = join(home, "plugin.json");
    const options = { entry: join(home, "src/main.ts"), description, out: join(directory, id) };
    const { artifact } = await buildArtifact(bundlePlugin, options);
    const { capabilities } = JSON.parse(readFileSync(description, "utf8")) as { capabilities: Capability[] };
    // Plugins have the lowest priority there is: beside busy programs a start alone can take a server's ten seconds.
    harness = await openHarness({ artifact, capabilities, store, least: "landlock", deadlineMs: stopMs });
  });
  afterAll(() => harness.close());

  test("answers all it is asked, and plans the same twice", async () => {
    for (const action of ["describe", "health", "plan"] as const) {
      const run = await harness.run(action, action === "plan" ? question : undefined);
      console.log(`${id}, ${harness.level}: ${describeRun(run)[0]}`);
      expect(run).toMatchObject({ result: expect.any(Object) as object, stderr: "" });
    }
  });

  test("says no to an input that is none of its own", async () => {
    expect((await harness.run("plan", { ...question, input: { nodes: "all" } })).trouble).toMatch(
      /^it answered with an error: /,
    );
  });
});
