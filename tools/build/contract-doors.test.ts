import { relative } from "node:path";
import { rolldown } from "rolldown";
import { describe, expect, test } from "vitest";
import { root } from "../repository.ts";

describe("what a bundled program carries for one name", () => {
  test("a fault costs the fault tables, and neither a schema nor zod", async () => {
    expect(await modulesFor("isFault", "@gatehouse/contract")).toEqual([
      "packages/base/src/fault.ts",
      "packages/contract/src/agent-faults.ts",
      "packages/contract/src/alert-faults.ts",
      "packages/contract/src/approval-faults.ts",
      "packages/contract/src/artifact-faults.ts",
      "packages/contract/src/broker-faults.ts",
      "packages/contract/src/cli-faults.ts",
      "packages/contract/src/faults.ts",
      "packages/contract/src/fleet-faults.ts",
      "packages/contract/src/plan-faults.ts",
      "packages/contract/src/plugin-faults.ts",
      "packages/contract/src/store-faults.ts",
      "packages/contract/src/task-faults.ts",
    ]);
  });

  test("a digest of a plan costs the files it is made by, and neither a schema nor zod", async () => {
    expect(await modulesFor("planDigest", "@gatehouse/plan")).toEqual([
      "packages/base/src/byte-form.ts",
      "packages/base/src/canonical-json.ts",
      "packages/keys/src/frame.ts",
      "packages/plan/src/byte-form.ts",
      "packages/plan/src/digest.ts",
      "packages/plan/src/sha256.ts",
    ]);
  });

  test("reading a plan costs eight small files of the contract", async () => {
    const modules = await modulesFor("parsePlan", "@gatehouse/plan");
    expect(modules.filter((module) => module.startsWith("packages/contract/"))).toEqual([
      "packages/contract/src/address-range.ts",
      "packages/contract/src/host-parts.ts",
      "packages/contract/src/id-form.ts",
      "packages/contract/src/node-id.ts",
      "packages/contract/src/node-names.ts",
      "packages/contract/src/plan-size.ts",
      "packages/contract/src/plugin-names.ts",
      "packages/contract/src/visible-text.ts",
    ]);
  });

  test("a schema of a route is found by the same count", async () => {
    expect(await modulesFor("whoAmIRoute", "@gatehouse/contract/routes")).toContain(
      "packages/contract/src/routes/routes-auth.ts",
    );
  });
});

/** The files with code in a program that uses one export, by their paths in the repository. */
async function modulesFor(name: string, from: string): Promise<string[]> {
  const entry = "one-name.js";
  const bundle = await rolldown({
    input: entry,
    cwd: root,
    platform: "node",
    plugins: [
      {
        name: "one-name",
        resolveId: (id) => (id === entry ? `${root}/${entry}` : undefined),
        load: (id) => (id === `${root}/${entry}` ? `export { ${name} } from "${from}";` : undefined),
      },
    ],
  });
  try {
    const { output } = await bundle.generate({ codeSplitting: false });
    return Object.entries(output[0].modules)
      .filter(([, { renderedLength }]) => renderedLength > 0)
      .map(([path]) => relative(root, path))
      .filter((path) => !path.startsWith("..") && path !== entry)
      .sort();
  } finally {
    await bundle.close();
  }
}
