import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readBuiltDigests } from "./built-digests.ts";
import { chooseDigest, type DigestChoice } from "./choose-digest.ts";

const [ours, other] = ["a".repeat(64), "b".repeat(64)];
const choice: DigestChoice = {
  arch: "x64",
  built: { x64: ours },
  served: [
    { arch: "arm64", sha256: other, size: 1 },
    { arch: "x64", sha256: ours, size: 1 },
  ],
  given: undefined,
  trustsServer: false,
};

test("a server that serves what was built with the command line: that digest", () => {
  expect(chooseDigest(choice)).toEqual({ sha256: ours, from: "built-in" });
});

test("a digest by hand wins over the one that was built in, and the server has to serve it", () => {
  expect(chooseDigest({ ...choice, built: { x64: other }, given: ours })).toEqual({ sha256: ours, from: "given" });
  expect(() => chooseDigest({ ...choice, given: other })).toThrow(
    expect.objectContaining({ code: "cli.digest_differs" }),
  );
});

test.each([
  ["another agent than was built in", { built: { x64: other } }, "cli.digest_differs"],
  [
    "another agent, however far the server is trusted",
    { built: { x64: other }, trustsServer: true },
    "cli.digest_differs",
  ],
  ["an agent that nobody here knows", { built: { arm64: other } }, "cli.digest_unknown"],
  ["no agent for the host", { served: [] }, "agent.not_built"],
])("%s: refused", (_, changes, code) => {
  expect(() => chooseDigest({ ...choice, ...changes })).toThrow(expect.objectContaining({ code }));
});

test("both digests are told, so that they can be compared", () => {
  expect(() => chooseDigest({ ...choice, built: { x64: other } })).toThrow(
    expect.objectContaining({ detail: expect.stringMatching(new RegExp(`${other}.*${ours}`)) }),
  );
});

test("the server's word is taken only by whoever says so, where nothing was built in", () => {
  expect(chooseDigest({ ...choice, built: {}, trustsServer: true })).toEqual({ sha256: ours, from: "server" });
});

test.each([
  ["what a build of the agent writes", JSON.stringify({ x64: { sha256: ours, size: 9, gzipSize: 3 } }), { x64: ours }],
  ["no JSON", "x64", {}],
  ["something else", JSON.stringify({ x64: null, arm64: { sha256: "short" }, mips: { sha256: ours } }), {}],
  ["null", "null", {}],
])("built-in digests are read from %s", (_, text, digests) => {
  const directory = mkdtempSync(join(tmpdir(), "gatehouse-digests-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, "digests.json");
  writeFileSync(file, text);
  expect(readBuiltDigests(file)).toEqual(digests);
});

test("without a build there are none", () => {
  expect(readBuiltDigests(join(tmpdir(), "gatehouse-no-such-directory", "digests.json"))).toEqual({});
});
