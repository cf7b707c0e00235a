import { mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { runJson, runLine } from "../../test/run-commands.ts";

interface Index {
  vectors: { name: string; code: string | null; accepted: boolean; plant: object[]; directory: string }[];
}

let vectors = "";
beforeEach(async () => {
  const directory = await mkdtemp(join(tmpdir(), "gatehouse-cli-vectors-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  vectors = join(directory, "vectors");
  expect((await runLine(`plugin vectors ${vectors}`)).code).toBe(0);
});

async function changeIndex(change: (index: Index) => void): Promise<void> {
  const file = join(vectors, "index.json");
  const index = JSON.parse(await readFile(file, "utf8")) as Index;
  change(index);
  await writeFile(file, JSON.stringify(index));
}

test("the vectors that are written are judged as their index says", async () => {
  const { code, found } = await runJson(`plugin vectors ${vectors} --check`);
  expect({ code, found }).toMatchObject({ code: 0, found: { ok: true, differing: [] } });
  expect(found["judged"]).toBeGreaterThan(50);
  expect(await runLine(`plugin vectors ${vectors}`)).toMatchObject({
    code: 1,
    err: expect.stringContaining("cli.exists"),
  });
});

test("a verdict that is not the index's is told, with exit code 1", async () => {
  let name = "";
  await changeIndex(({ vectors: [first] }) => {
    if (first !== undefined) Object.assign(first, { accepted: false, code: "bundle.unsigned" });
    name = first?.name ?? "";
  });
  const { code, out } = await runLine(`plugin vectors ${vectors} --check`);
  expect(code).toBe(1);
  expect(out).toContain(`  ${name}: expected bundle.unsigned, found accepted`);
});

test("steps that this version does not know are not taken: they could write anywhere", async () => {
  const stray = join(vectors, "..", "stray");
  await changeIndex(({ vectors: [first] }) => {
    first?.plant.push({ do: "write", path: "../../../../../../../../../../../../".concat(stray), text: "x" });
  });
  const { code, out } = await runLine(`plugin vectors ${vectors} --check`);
  expect(code).toBe(0);
  expect(out).toContain("its plant steps are not known here");
  await expect(stat(stray)).rejects.toThrow("ENOENT");
});

test("a link among the files of somebody else's vectors is not written through", async () => {
  const precious = join(vectors, "..", "precious");
  await writeFile(precious, "precious");
  const { vectors: all } = JSON.parse(await readFile(join(vectors, "index.json"), "utf8")) as Index;
  const truncated = all.find(({ plant }) => JSON.stringify(plant).includes('"size","path":"acme-lines/artifact"'));
  const artifact = join(vectors, truncated?.directory ?? "none", "acme-lines/artifact");
  await rm(artifact);
  await symlink(precious, artifact);
  expect((await runLine(`plugin vectors ${vectors} --check`)).out).toContain("there is a link among them");
  expect(await readFile(precious, "utf8")).toBe("precious");
});

test.each(["../elsewhere", "/etc", "bundles/../../x"])("no path of an index leaves its directory: %s", async (path) => {
  await changeIndex(({ vectors: [first] }) => {
    if (first !== undefined) first.directory = path;
  });
  expect((await runLine(`plugin vectors ${vectors} --check`)).code).toBe(2);
});

test("a directory without an index, or with an empty one, is no success", async () => {
  await changeIndex((index) => {
    index.vectors = [];
  });
  expect((await runLine(`plugin vectors ${vectors} --check`)).code).toBe(2);
  await rm(join(vectors, "index.json"));
  expect((await runLine(`plugin vectors ${vectors} --check`)).code).toBe(2);
});
