import { expect, test } from "vitest";
import { startArtifactServer } from "../../test/artifact-server.ts";
import { runJson, runLine } from "../../test/run-commands.ts";
import { sampleArtifact } from "../../test/sample-artifact.ts";

const tool = sampleArtifact();
const { wholeAt: _, ...large } = sampleArtifact({
  id: `artifact_${"7".repeat(18)}0000aaaa`,
  name: "gatehouse-agent",
  version: "0.3.0",
  kind: "release",
  architecture: "arm64",
  size: 100 * 1024 * 1024,
  partSize: 32 * 1024 * 1024,
  parts: [0, 2],
  state: "arriving",
});
const { publisher: __, ...release } = large;
const items = [release, tool];

test("artifacts are listed with whose they are and how much of them is there", async () => {
  const { environment } = await startArtifactServer({ items });
  const { code, out } = await runLine("artifact list", { environment });
  expect(code).toBe(0);
  const [head, names, ...rows] = out.trimEnd().split("\n");
  expect(head).toMatch(/^2 artifacts at http/);
  expect(names?.trim().split(/ +/)).toEqual([
    "name",
    "version",
    "for",
    "size",
    "publisher",
    "state",
    "digits",
    "announced",
  ]);
  expect(rows.map((row) => row.trim().split(/ {2,}/))).toEqual([
    ["gatehouse-agent", "0.3.0", "arm64", "100.0 MiB", "(release)", "2 of 4 parts", "0000aaaa", "2026-11-17T05:00:00Z"],
    ["tool", "1.2.3", "x64", "9 bytes", "acme", "whole", "5d7skrbj", "2026-11-17T05:00:00Z"],
  ]);
  expect(await runJson("artifact list", { environment })).toMatchObject({ found: { ok: true, items, more: false } });
  const none = await startArtifactServer();
  expect((await runLine("artifact list", { environment: none.environment })).out).toMatch(/^0 artifacts at [^\n]+\n$/);
});

test("an artifact is shown with its digest, its key and its publisher, whole ids without a list", async () => {
  const { server, environment } = await startArtifactServer({ items });
  const { out } = await runLine("artifact show tool@1.2.3", { environment });
  expect(out.split("\n")[0]).toBe("tool 1.2.3 for x64: whole");
  for (const part of [tool.id, tool.sha256, tool.signature.keyId, "a program of acme", "by usr_ada"]) {
    expect(out).toContain(part);
  }
  const before = server.received.length;
  expect(await runJson(`artifact show ${release.id}`, { environment })).toMatchObject({ found: { artifact: release } });
  expect(server.received.slice(before).map(({ path }) => path)).toEqual([`/api/artifacts/${release.id}`]);
  expect((await runLine(`artifact show ${release.id}`, { environment })).out).toContain("a release of the agent");
});

test("a server that shows another artifact than it was asked for is not believed", async () => {
  const { environment } = await startArtifactServer({ items, says: { id: release.id } });
  expect(await runJson(`artifact show ${tool.id}`, { environment })).toMatchObject({
    code: 1,
    found: { error: { code: "cli.answer_unexpected" } },
  });
});

test("an artifact is removed as it was named, and one that nobody knows is not", async () => {
  const { kept, environment } = await startArtifactServer({ items });
  expect(await runJson("artifact remove tool", { environment })).toMatchObject({
    code: 0,
    found: { removed: { id: tool.id, name: "tool", version: "1.2.3" } },
  });
  expect([...kept.keys()]).toEqual([release.id]);
  for (const named of ["tool", tool.id]) {
    expect(await runJson(`artifact remove ${named}`, { environment })).toMatchObject({
      code: 1,
      found: { error: { code: "artifact.unknown" } },
    });
  }
});
