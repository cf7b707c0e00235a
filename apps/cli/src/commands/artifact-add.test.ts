import { writeFile } from "node:fs/promises";
import type { Artifact } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import { programHead } from "../../../../tests/support/elf-program.ts";
import { startArtifactServer } from "../../test/artifact-server.ts";
import { at, newKey, usePublisherDirectory } from "../../test/publisher-directory.ts";
import { runJson, runLine } from "../../test/run-commands.ts";
import { readArtifactFacts } from "../artifacts/facts-file.ts";

usePublisherDirectory();

const text = `${programHead}!`;

/** A program that its publisher has signed. */
async function signed() {
  await newKey("acme.key");
  await writeFile(at("tool"), text);
  const words = `artifact sign ${at("tool")} --version 1.2.3 --architecture x64 --publisher acme --key ${at("acme.key")}`;
  expect(await runLine(words)).toMatchObject({ code: 0 });
  return readArtifactFacts(at("tool.artifact.json"), "artifact add");
}

const sentParts = (received: readonly { method: string; path: string }[]) =>
  received.filter(({ method }) => method === "PUT").map(({ path }) => path.split("/").at(-1));

test("a file is announced by its facts, sent part by part with a line for each, and is whole in the end", async () => {
  const facts = await signed();
  const { server, texts, environment } = await startArtifactServer();
  const { code, out, err } = await runLine(`artifact add ${at("tool")}`, { environment });
  expect([code, err]).toEqual([0, ""]);
  expect(JSON.parse(server.received[0]?.body ?? "")).toEqual(facts);
  expect(texts).toEqual([text.slice(0, 8), text.slice(8, 16), text.slice(16)]);
  const [head, ...lines] = out.trimEnd().split("\n");
  expect(head).toMatch(/^tool 1\.2\.3 for x64 \(artifact_\w+\): 0 of 3 parts here, 3 parts to send/);
  expect(lines).toEqual([
    "  1 of 3 parts, 8 bytes of 21 bytes",
    "  2 of 3 parts, 16 bytes of 21 bytes",
    "  3 of 3 parts, 21 bytes of 21 bytes",
    expect.stringMatching(/^tool 1\.2\.3 for x64 is whole: artifact_/),
  ]);
});

test("a release of the agent is announced as one, with no publisher", async () => {
  await newKey("release.key");
  await writeFile(at("agent"), text);
  const words = `--release --version 1.2.0 --architecture x64 --key ${at("release.key")}`;
  expect(await runLine(`artifact sign ${at("agent")} ${words}`)).toMatchObject({ code: 0 });
  const { kept, environment } = await startArtifactServer();
  const { code, out } = await runLine(`artifact add ${at("agent")}`, { environment });
  expect([code, out]).toEqual([0, expect.stringContaining("gatehouse-agent 1.2.0 for x64 is whole: ")]);
  const [brought] = kept.values();
  expect(brought).toMatchObject({ kind: "release", name: "gatehouse-agent", state: "whole" });
});

test("what ended in the middle goes on with the parts that the server lacks", async () => {
  await signed();
  const first = await startArtifactServer({ most: 1 });
  const stopped = await runLine(`artifact add ${at("tool")}`, { environment: first.environment });
  expect(stopped).toMatchObject({ code: 1, err: expect.stringContaining("store.disk_full") });
  expect(stopped.out).toContain("1 of 3 parts");
  const { server, environment } = await startArtifactServer({ items: [...first.kept.values()] });
  expect(await runLine(`artifact add ${at("tool")}`, { environment })).toMatchObject({
    code: 0,
    out: expect.stringContaining("1 of 3 parts here, 2 parts to send"),
  });
  expect(sentParts(server.received)).toEqual(["1", "2"]);
});

test("what was there already is said, and nothing is sent", async () => {
  await signed();
  const { server, environment } = await startArtifactServer();
  const line = `artifact add ${at("tool")}`;
  await runLine(line, { environment });
  const before = sentParts(server.received).length;
  expect(await runLine(line, { environment })).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^tool 1\.2\.3 for x64 \(artifact_\w+\) was here already, whole\.\n$/),
  });
  expect(sentParts(server.received)).toHaveLength(before);
  expect(await runJson(line, { environment })).toMatchObject({
    code: 0,
    found: { ok: true, artifact: { state: "whole" } },
  });
});

test("parts that are all there and were never joined begin their joining with the last of them", async () => {
  await signed();
  const first = await startArtifactServer();
  await runLine(`artifact add ${at("tool")}`, { environment: first.environment });
  const [whole] = [...first.kept.values()] as [Artifact];
  const { server, environment } = await startArtifactServer({ items: [{ ...whole, state: "arriving" }] });
  expect(await runLine(`artifact add ${at("tool")}`, { environment })).toMatchObject({ code: 0 });
  expect(sentParts(server.received)).toEqual(["2"]);
});

test("for machines each part is a line, and the last one has ok", async () => {
  await signed();
  const { environment } = await startArtifactServer();
  const { code, out } = await runLine(`artifact add ${at("tool")} --json`, { environment });
  const lines = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
  expect(code).toBe(0);
  expect(lines).toMatchObject([
    { ok: true, artifact: { state: "arriving", parts: [] } },
    { change: "part", number: 0, parts: 1, of: 3 },
    { change: "part", number: 1, parts: 2, of: 3 },
    { change: "part", number: 2, parts: 3, of: 3 },
    { change: "end", ok: true, artifact: { state: "whole" } },
  ]);
});

test.each([
  ["has another digest", `${programHead}?`, "the sha256"],
  ["has another size", "gatehouse", "expected 21 bytes, found 9"],
])("a file that %s than its facts say is refused before anybody is asked", async (_, other, why) => {
  await signed();
  await writeFile(at("tool"), other);
  const { server, environment } = await startArtifactServer();
  const { code, err } = await runLine(`artifact add ${at("tool")}`, { environment });
  expect(code).toBe(1);
  expect(err).toMatch(/^gatehouse: cli\.artifact_differs: /);
  expect(err).toContain(why);
  expect(server.received).toEqual([]);
});

test("facts that stand elsewhere are named, and without facts nothing is sent", async () => {
  const facts = await signed();
  await writeFile(at("same"), text);
  const { server, environment } = await startArtifactServer();
  expect(await runLine(`artifact add ${at("same")}`, { environment })).toMatchObject({ code: 2 });
  expect(server.received).toEqual([]);
  const line = `artifact add ${at("same")} --facts ${at("tool.artifact.json")} --json`;
  expect(await runLine(line, { environment })).toMatchObject({ code: 0 });
  expect(JSON.parse(server.received[0]?.body ?? "")).toEqual(facts);
});

test.each<[string, Partial<Artifact>]>([
  ["answers for another artifact", { sha256: "0".repeat(64) }],
  ["wants larger parts than there are", { partSize: 64 * 1024 * 1024 }],
  ["wants parts without bytes", { partSize: 0 }],
])("a server that %s gets no part", async (_, says) => {
  await signed();
  const { server, environment } = await startArtifactServer({ says });
  expect(await runLine(`artifact add ${at("tool")}`, { environment })).toMatchObject({
    code: 1,
    err: expect.stringContaining("cli.answer_unexpected"),
  });
  expect(sentParts(server.received)).toEqual([]);
});

test("a server that never has all of it is no success", async () => {
  await signed();
  const { environment } = await startArtifactServer({ says: { state: "arriving" } });
  const { code, out } = await runLine(`artifact add ${at("tool")}`, { environment });
  expect([code, out]).toEqual([1, expect.stringContaining("is not whole: ")]);
});
