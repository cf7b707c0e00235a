import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { isSignedBy, keyIdOf, loadPublicKey } from "@gatehouse/keys";
import { type ArtifactFacts, artifactMessage } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { programHead } from "../../../../tests/support/elf-program.ts";
import { readArtifactFacts } from "../artifacts/facts-file.ts";
import { at, newKey, usePublisherDirectory } from "../../test/publisher-directory.ts";
import { runJson, runLine } from "../../test/run-commands.ts";

usePublisherDirectory();

const line = (more = "") =>
  `artifact sign ${at("tool")} --name tool --version 1.2.3 --architecture x64 --publisher acme --key ${at("acme.key")} ${more}`.trim();

const program = `${programHead}a program`;

async function setUp(text = program) {
  const { publicKey } = await newKey("acme.key");
  await writeFile(at("tool"), text);
  return Uint8Array.fromBase64(publicKey);
}

test("what is said of a program is signed with the publisher's key, and stands beside it", async () => {
  const raw = await setUp();
  const { code, out } = await runLine(line());
  expect(code).toBe(0);
  expect(out).toContain("tool 1.2.3 for x64, 29 bytes");
  const facts: ArtifactFacts = await readArtifactFacts(at("tool.artifact.json"), "artifact add");
  const { privateKey: seed } = JSON.parse(await readFile(at("acme.key"), "utf8")) as { privateKey: string };
  expect(facts).toEqual({
    kind: "binary",
    name: "tool",
    version: "1.2.3",
    architecture: "x64",
    sha256: createHash("sha256").update(program).digest("hex"),
    size: 29,
    publisher: "acme",
    signature: { keyId: expect.stringMatching(/^[0-9a-f]{32}$/), ed25519: expect.any(String) },
  });
  expect(JSON.stringify(facts)).not.toContain(seed);
  expect(facts.signature.keyId).toBe(keyIdOf(raw));
  const signature = Uint8Array.fromBase64(facts.signature.ed25519);
  expect(isSignedBy(loadPublicKey(raw, "acme"), artifactMessage(facts), signature)).toBe(true);
});

test.each([
  ["a script", "#!/bin/sh\n", "no ELF header"],
  ["a program for another processor", programHead.replace(">", "("), "machine 40"],
])("%s is not signed: every host would refuse it", async (_, text, found) => {
  await setUp(text);
  const { code, err } = await runLine(line());
  expect([code, err]).toEqual([1, expect.stringMatching(/^gatehouse: artifact\.architecture: /)]);
  expect(err).toContain(`expected a program for x64, found ${found}`);
});

test("a release of the agent is signed in words of its own, and has no publisher", async () => {
  const raw = await setUp();
  const release = `artifact sign ${at("tool")} --release --version 1.2.0 --architecture x64 --key ${at("acme.key")}`;
  const { code, out } = await runLine(release);
  expect(code).toBe(0);
  expect(out).toContain("gatehouse-agent 1.2.0 for x64, 29 bytes");
  expect(out).not.toContain("  publisher  ");
  const facts = await readArtifactFacts(at("tool.artifact.json"), "artifact add");
  expect(Object.keys(facts).toSorted()).toEqual(
    ["architecture", "kind", "name", "sha256", "signature", "size", "version"].toSorted(),
  );
  const signature = Uint8Array.fromBase64(facts.signature.ed25519);
  const key = loadPublicKey(raw, "the release key");
  expect(isSignedBy(key, artifactMessage(facts), signature)).toBe(true);
  const asBinary = { ...facts, kind: "binary", publisher: "acme" } as const;
  expect(isSignedBy(key, artifactMessage(asBinary), signature)).toBe(false);
});

test.each([
  ["--release --name tool", /--name is for programs/],
  ["--release --publisher acme", /--publisher is for programs/],
  ["--name tool", /write --publisher ID, or --release/],
])("a program that is called %j is neither a publisher's nor a release", async (words, why) => {
  await setUp();
  const given = `artifact sign ${at("tool")} ${words} --version 1.2.0 --architecture x64 --key ${at("acme.key")}`;
  expect(await runLine(given)).toMatchObject({ code: 2, err: expect.stringMatching(why) });
});

test("for machines the facts are told as they were written", async () => {
  await setUp(program.padEnd(2_500_000));
  const { found } = await runJson(line(`--out ${at("facts.json")}`));
  expect(found).toMatchObject({
    file: at("facts.json"),
    facts: await readArtifactFacts(at("facts.json"), "artifact add"),
  });
});

test("without a name it is called as its file is", async () => {
  await setUp();
  const { found } = await runJson(line().replace(" --name tool", ""));
  expect(found).toMatchObject({ facts: { name: "tool" } });
});

test("facts that stand there already are not written over", async () => {
  await setUp();
  await writeFile(at("tool.artifact.json"), "mine");
  expect(await runLine(line())).toMatchObject({ code: 1, err: expect.stringContaining("exists already") });
  expect(await readFile(at("tool.artifact.json"), "utf8")).toBe("mine");
});

test.each([
  ["--name Tool", /--name must be/],
  ["--version 1", /--version must be/],
  ["--architecture mips", /--architecture/],
  ["--publisher Acme", /--publisher/],
])("%s is refused before anything is read", async (wrong, why) => {
  await setUp();
  const [flag = ""] = wrong.split(" ");
  const given = line().replace(new RegExp(`${flag} \\S+`), wrong);
  const { code, err } = await runLine(given);
  expect(code).toBe(2);
  expect(err).toMatch(why);
});

test("an empty file is no program, and a directory is none", async () => {
  await setUp("");
  expect(await runLine(line())).toMatchObject({ code: 2, err: expect.stringContaining("has 0 bytes") });
  const directory = line().replace(at("tool"), at(""));
  expect(await runLine(directory)).toMatchObject({ code: 2, err: expect.stringContaining("not a regular file") });
});

test("facts that nobody's tool has written are refused by their field", async () => {
  await setUp();
  await runLine(line());
  const facts = JSON.parse(await readFile(at("tool.artifact.json"), "utf8")) as object;
  for (const [name, other] of [
    ["more", { ...facts, more: 1 }],
    ["size", { ...facts, size: 0 }],
  ] as const) {
    await writeFile(at("other.json"), `${JSON.stringify(other, Object.keys(other).toSorted(), 2)}\n`);
    await expect(readArtifactFacts(at("other.json"), "artifact add"), name).rejects.toThrow(
      /is not as gatehouse artifact sign/,
    );
  }
  await writeFile(at("other.json"), JSON.stringify(facts));
  await expect(readArtifactFacts(at("other.json"), "artifact add")).rejects.toThrow(
    /is not as gatehouse artifact sign/,
  );
});
